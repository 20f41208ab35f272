import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { findHook, installHook, removeHook } from '../../../src/commands/gate/hook.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'

const newFolder = useFolders()
const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const machine = { nodeFolder: '/opt/node/bin', program: '/opt/mdtest/dist/bin.js' }
const hook = 'project/.git/hooks/pre-commit'

function repository(): TestFolder {
  const folder = newFolder()
  mkdirSync(folder.at("project/it's/here"), { recursive: true })
  folder.git('init', '-q', '--template=', 'project')
  return folder
}

test('the hook is written where there is none, and is gone with `--remove`', async () => {
  const folder = repository()
  const root = folder.at("project/it's/here")
  const place = await findHook(root, env)
  await installHook(place, { root, configFile: folder.at("project/it's/here/gates.json"), machine })
  const text = readFileSync(folder.at(hook), 'utf8')
  expect(text).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Written by \`mdtest gate --hook\`; \`mdtest gate --hook --remove\` removes it.
    run() { "$@" && exit; echo 'Not committed. \`git commit --no-verify\` goes without the gates.' >&2; exit 1; }
    case $0 in *prepare-commit-msg)
      [ -d "$(git rev-parse --git-path rebase-merge)" ] || ! ps -o args= -p $PPID |
        grep -qE '^([^ ]*/)?git( -[cC] [^ ]+| -[^ ]+)* (commit|merge)( |$)' || exit 0 ;;
    esac
    cd 'it'\\''s/here' || exit 1
    PATH="$PATH":'/opt/node/bin'
    export PATH
    for folder in . .. ../.. ../../.. ../../../..; do
      mdtest="$folder/node_modules/.bin/vitest-mdtest"
      if [ -f "$mdtest" ]; then run "$mdtest" gate --fix-attempts 0 --no-execution-log --config 'gates.json'; fi
    done
    if [ -f '/opt/mdtest/dist/bin.js' ]; then run node '/opt/mdtest/dist/bin.js' gate --fix-attempts 0 --no-execution-log --config 'gates.json'; fi
    run npx --no-install vitest-mdtest gate --fix-attempts 0 --no-execution-log --config 'gates.json'
    "
  `)
  expect(statSync(folder.at(hook)).mode & 0o777).toBe(0o755)
  await installHook(place, { root, configFile: folder.at("project/it's/here/gates.json"), machine })
  expect(readFileSync(folder.at(hook), 'utf8')).toBe(text)
  expect(await removeHook(place)).toBe(true)
  expect(existsSync(folder.at(hook))).toBe(false)
  expect(await removeHook(place)).toBe(false)
})

test.each([['a file'], ['a link']])("%s of the user's stays, and the line to paste is told", async (kind) => {
  const folder = repository()
  mkdirSync(folder.at('project/.git/hooks'), { recursive: true })
  writeFileSync(folder.at('.profile'), '#!/bin/sh\necho mine\n')
  if (kind === 'a link') symlinkSync(folder.at('.profile'), folder.at(hook))
  else writeFileSync(folder.at(hook), '#!/bin/sh\necho mine\n')
  const root = folder.at("project/it's/here")
  const place = await findHook(root, env)
  await expect(installHook(place, { root, machine })).rejects.toThrow(
    "(cd 'it'\\''s/here' && npx --no-install vitest-mdtest gate --fix-attempts 0 --no-execution-log) || exit 1",
  )
  expect(await removeHook(place)).toBe(false)
  expect(readFileSync(folder.at(hook), 'utf8')).toBe('#!/bin/sh\necho mine\n')
})

test.each([
  ['merge', 'merge -q side -m merged'],
  ['revert', 'revert --no-edit HEAD'],
  ['cherry-pick', 'cherry-pick side'],
  ['rebase', 'rebase -q side'],
  ['am', 'am -q ../side.patch'],
  ['commit', 'commit -q --allow-empty -m red'],
])('no commit is made by git %s while a gate is red', async (_, command) => {
  const folder = newFolder()
  const root = folder.at('project')
  const sh = (script: string): string =>
    execFileSync('sh', ['-c', script], { cwd: root, env: { ...env, HOME: root }, encoding: 'utf8', stdio: 'pipe' })
  mkdirSync(root)
  sh(`git init -q -b main --template=; git config user.name a; git config user.email a@b
    for name in one two; do echo $name > $name; git add .; git commit -qm $name; done
    git checkout -qb side HEAD~1; echo side > side; git add .; git commit -qm side
    git format-patch -q -1 --stdout > ../side.patch; git checkout -q main`)
  writeFileSync(
    folder.at('gate.mjs'),
    "import { existsSync } from 'node:fs'\nprocess.exit(existsSync('green') ? 0 : 1)\n",
  )
  const place = await findHook(root, env)
  const hooks = { root, machine: { nodeFolder: dirname(process.execPath), program: folder.at('gate.mjs') } }
  expect(await installHook(place, hooks)).toEqual([])
  const known = sh('git log --all --format=%h')
  expect(() => sh(`git ${command}`)).toThrow('failed')
  expect(new Set(sh('git log --all --format=%h HEAD').split('\n'))).toEqual(new Set(known.split('\n')))
  sh(`git ${command.split(' ')[0]} --abort 2>/dev/null || git reset -q --hard main; touch green; git ${command}`)
  expect(sh('git log --all --format=%h')).not.toBe(known)
})
