# The few commands that a person types. `make` alone lists them.

PREFIX ?= /usr/local
PROGRAMS := .build/programs
FUZZ_SECONDS ?= 60
ROUNDS ?= 5
SOURCES := Package.swift Plugins Sources Tests
RELEASE := -c release --product scenario --static-swift-stdlib -Xswiftc -static-executable
# Small before fast: the calls that cost a run its time are the kernel's.
RELEASE += -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
# Types are made with the conformances that the compiler knows; by their names, the runtime searches for each of them through
# all conformances of the executable.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
RELEASE += -Xswiftc -use-ld=lld -Xlinker --icf=all
RELEASE += -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/Packaging/no-unwind-tables.ld
# What depends on the folder that is built in.
RELEASE += -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xlinker --build-id=none

.DEFAULT_GOAL := help
# `make -j deb wheel` would write the checksums twice at once.
.NOTPARALLEL:
.PHONY: help demo test quick build release tarball deb wheel image packages check-packages docs dist schema bench bench-order first-run nightly engines stress simulate distributions kernels browsers cookbook editors fuzz lint format clean install programs clients

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## install what is missing, build, and run the gallery in scenarios/
	Tests/install-dependencies.sh demo
	swift build --product scenario
	Tests/Programs/build.sh $(PROGRAMS)
	.build/debug/scenario run scenarios --report junit=reports/TEST-scenario.xml

test: ## install what is missing, build once, run every test, and a sample of stress
	Tests/install-dependencies.sh test
	swift build --build-tests
	Tests/Programs/build.sh $(PROGRAMS)
	Tests/Programs/Languages/build.sh $(PROGRAMS)/languages
	Tests/Programs/Clients/build.sh $(PROGRAMS)/clients
	Tests/run-tests.sh
	REPEATS=5 PROGRAM_ROUNDS=1 Tests/Stress/run.sh 5

quick: programs ## run every test but those that start the built runner
	swift test --skip '^EndToEndTests\.'

build: ## build for debugging
	swift build

release: ## write dist/scenario, one file that needs no shared library
	swift build $(RELEASE)
	mkdir -p dist
	strip --strip-all -o dist/scenario .build/release/scenario
	Packaging/neutral dist/scenario

tarball: ## write an archive of dist/scenario with manual page, completions, licences and list of components
deb: ## write a Debian package of dist/scenario
wheel: ## write a Python wheel of dist/scenario, which pip installs
image: ## write an OCI image that holds dist/scenario and nothing else
tarball deb wheel image: release
	Packaging/package $@ sums

packages: release ## write all four, and their checksums
	Packaging/package tarball deb wheel image sums

check-packages: release ## install each package as its users would, and run dist/scenario where it must run (installs what that needs)
	Packaging/names .build/release
	Tests/install-dependencies.sh test
	Tests/install-dependencies.sh packages
	swift build --build-tests
	Tests/Programs/build.sh $(PROGRAMS)
	Tests/Packaging/run.sh
	PROGRAM_UNDER_TEST=dist/scenario Tests/run-tests.sh --filter 'StaticExecutableTests|ContainerTests|RealNamesTests|PackageTests'

dist: ## perform the checklist of a release, from a clean tree to checksums; DRY=1 only says what would be done
	Packaging/dist $(if $(DRY),--dry)

docs: ## make a site of the book in dist/docs (installs Sphinx, MyST and Furo); a link that leads nowhere fails
	Tests/install-dependencies.sh docs
	Packaging/site

schema: build ## write the JSON Schemas, the language's page in the book, and the manual page
	.build/debug/scenario schema > schemas/scenario.schema.json.new
	mv schemas/scenario.schema.json.new schemas/scenario.schema.json
	.build/debug/scenario schema --format markdown > Documentation/language.md.new
	mv Documentation/language.md.new Documentation/language.md
	.build/debug/scenario schema --format expressions > Documentation/expressions.md.new
	mv Documentation/expressions.md.new Documentation/expressions.md
	.build/debug/scenario config --schema > schemas/config.schema.json.new
	mv schemas/config.schema.json.new schemas/config.schema.json
	.build/debug/scenario manual > Documentation/scenario.1.new
	mv Documentation/scenario.1.new Documentation/scenario.1

bench: ## install what is missing and run the benchmarks
	@test -x Benchmarks/run || { echo "error: there are no benchmarks yet" >&2; exit 1; }
	Tests/install-dependencies.sh bench
	swift build $(RELEASE)
	Tests/Programs/build.sh $(PROGRAMS)
	Benchmarks/run
	Benchmarks/first-request
	Benchmarks/order --short
	Benchmarks/editor .build/release/scenario
	Benchmarks/page .build/release/scenario

bench-order: release ## count in many runs how often the order of events is right
	Tests/Programs/build.sh $(PROGRAMS)
	Benchmarks/order

first-run: ## measure what a first run takes in a copy of the tree: packages, build, gallery, scenario init (minutes)
	Tests/install-dependencies.sh demo
	Benchmarks/first-run

nightly: ## run what `make test` runs and what it leaves out, for hours; says at the end what failed, and what was skipped
	Tests/nightly

engines: ## run the recipes of Documentation/scale-out under real Slurm and Bazel (installs them)
	Tests/install-dependencies.sh test
	Tests/install-dependencies.sh engines
	swift build
	PYTHONPATH=Tests/Engines .build/python/bin/python Tests/Engines/replay.py .build/debug/scenario --real

stress: ## count verdicts on an overloaded machine in ROUNDS (5) rounds; resumes after an interruption
	Tests/install-dependencies.sh test
	swift build
	$(MAKE) programs
	Tests/Stress/run.sh $(ROUNDS)

simulate: ## let time pass in a million simulated worlds, and replay the scheduling decisions of a thousand real runs
	swift build --build-tests
	Tests/Programs/build.sh $(PROGRAMS)
	-.build/debug/scenario run scenarios --repeat 11 --show-output never --trace .build/scheduler-trace > .build/scheduler-trace.log 2>&1
	SCHEDULER_TRACE=.build/scheduler-trace SIMULATED_WORLDS=340000 swift test --skip-build --filter 'Simulation|SchedulerReplay'

distributions: release ## run doctor and a part of the gallery with dist/scenario in roots of Debian 11, 12 and 13
	Tests/Distributions/run.sh

kernels: release ## run the executable on the kernels of Debian 11, 12 and 13 in emulated machines (installs QEMU)
	Tests/Kernels/run.sh

browsers: ## look at the HTML report in Chromium and Firefox, and keep pictures of it in .build/screenshots
	Tests/install-dependencies.sh test
	swift build --build-tests
	for browser in chromium firefox; do \
	  PAGE_BROWSER=$$browser swift test --skip-build --filter 'InBrowserTests|HistoryTests|ViewerTests|ShowTests|TimelineTests' && \
	  PAGE_BROWSER=$$browser Tests/Browser/screenshots .build/debug/scenario .build/screenshots/$$browser || exit 1; \
	done

clients: ## build the client that takes minutes, AsyncHTTPClient with a TLS of its own, and run it
	swift build --product scenario
	Tests/Programs/Clients/AsyncHTTPClient/build.sh $(PROGRAMS)/clients
	Tests/Programs/Clients/AsyncHTTPClient/run .build/debug/scenario

cookbook: ## run the recipes of Documentation/cookbook on the programs that they name (installs them)
	Tests/install-dependencies.sh cookbook
	swift build
	Tests/Cookbook/run

editors: ## run Neovim and Emacs with the settings of Documentation/editors.md (installs them)
	Tests/install-dependencies.sh editors
	swift build
	Tests/Book/run --all Documentation/editors.md

fuzz: ## feed the reader, expressions and factories nonsense for FUZZ_SECONDS (60)
	Tests/Fuzz/run.sh $(FUZZ_SECONDS)

lint: ## check the format of the Swift code
	swift format lint --strict --parallel --recursive $(SOURCES)
	Tests/lint-documentation.sh
	Tests/lint-headers.sh
	Tests/lint-folders
	Tests/lint-imports

format: ## format the Swift code in place
	swift format --in-place --parallel --recursive $(SOURCES)

clean: ## remove what was built and the reports
	swift package clean
	rm -rf $(PROGRAMS) reports dist

install: release ## install program, manual page and completions to PREFIX (/usr/local)
	Tests/install-program.sh dist/scenario $(DESTDIR)$(PREFIX)

programs:
	Tests/Programs/build.sh $(PROGRAMS)
	Tests/Programs/Languages/build.sh $(PROGRAMS)/languages
	Tests/Programs/Clients/build.sh $(PROGRAMS)/clients
