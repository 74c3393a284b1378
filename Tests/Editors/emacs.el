;;; emacs.el --- whether settings start the language server  -*- lexical-binding: t -*-

;; Debian has the mode of yaml-ts-mode's name only since Emacs 29, and its grammar not at all.
(require 'yaml-mode)
(require 'eglot)
(require 'flymake)
(defalias 'yaml-ts-mode #'yaml-mode)
(setq eglot-sync-connect 30)

(defun settings-work ()
  "Open the file with a mistake, and fail unless it is shown."
  (find-file "scenarios/mistake.yaml")
  (unless (eq major-mode 'scenario-mode)
    (error "The mode of a file below scenarios is %s" major-mode))
  ;; Eglot waits for the next command, of which there is none in a batch.
  (run-hooks 'post-command-hook)
  (flymake-start)
  (let ((tries 600))
    (while (and (> tries 0) (null (flymake-diagnostics)))
      (accept-process-output nil 0.1)
      (setq tries (1- tries))))
  (let ((texts (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
    (unless (and texts (string-match-p "Expect" (car texts)))
      (error "What is shown is %S" texts)))
  (kill-emacs 0))
