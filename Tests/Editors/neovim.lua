-- Fails unless the language server tells of the mistake in the file that is open; then saves the file.

local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function told()
  return vim.diagnostic.get(0)
end

if not vim.wait(60000, function() return #told() > 0 end, 50) then
  fail('no diagnostics came; clients: ' .. vim.inspect(vim.lsp.get_clients()))
end
if not told()[1].message:find('Expect', 1, true) then
  fail('another mistake is shown: ' .. told()[1].message)
end
vim.cmd('write')
vim.cmd('quitall!')
