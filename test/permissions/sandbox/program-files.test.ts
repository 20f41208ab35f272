import { execFile } from 'node:child_process'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, test } from 'vitest'
import { findSandbox, sandboxed, type SandboxView } from '../../../src/permissions/sandbox/bubblewrap.ts'

const found = await findSandbox(process.env)
const program = found.ok ? found.program : 'bwrap'
const skipReason = found.ok ? '' : ` (skipped: ${found.why})`

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** @param base absolute path of the folder in which it is made */
function makeFolder(base: string, prefix = "mdt a b 'ü-"): string {
  const folder = mkdtempSync(join(base, prefix))
  made.push(folder)
  return folder
}

function write(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content, { mode: 0o755 })
  return file
}

function link(path: string, end: string): string {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(end, path)
  return path
}

interface Scene extends Partial<SandboxView> {
  /** Words of the command line behind a script of the shell. */
  readonly words?: readonly string[]
}

async function run(script: string, { words = [], ...changes }: Scene): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...changes.env }
  const view = { program, cwd: '/usr', writable: [], readable: [], programs: [], ...changes, env }
  const { argv, env: shown } = sandboxed(['sh', '-c', script, ...words], view)
  const { stdout } = await promisify(execFile)(argv[0], argv.slice(1), { env: shown })
  return stdout
}

const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`
const shows = (file: string): string => `cat ${quoted(file)}`

interface Need extends Omit<Scene, 'program'> {
  /** Prints `yes` where all that it needs is in sight. */
  readonly check: string
}

/** What a confined process needs, each in a folder of its own: what is seen for one reason shows nothing of another. */
const needs: Readonly<Record<string, (base: string) => Need>> = {
  'a program, what is around it, and the link that it is called by'(base) {
    const folder = makeFolder(base)
    write(join(folder, 'share/words'), 'yes')
    write(join(folder, 'lib/agent'), `#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../share/words"\n`)
    const agent = link(join(makeFolder(base), 'agent'), join(folder, 'lib/agent'))
    return { words: [agent], check: quoted(agent) }
  },
  'packages above a script'(base) {
    const folder = makeFolder(base)
    write(join(folder, 'node_modules/words/index.js'), 'module.exports = "yes"')
    const main = write(join(folder, 'packages/agent/main.cjs'), 'console.log(require("words"))')
    return { words: [main], check: `node ${quoted(main)}` }
  },
  'what a flag names as a URL'(base) {
    const folder = makeFolder(base)
    write(join(folder, 'words.mjs'), 'console.log("yes")')
    const flag = `--import=${pathToFileURL(write(join(folder, 'hooks/load.mjs'), 'import "../words.mjs"'))}`
    return { words: [flag], check: `node ${quoted(flag)} -e 0` }
  },
  'what starts a script'(base) {
    // The first line of a script cannot name a path with blanks.
    const folder = makeFolder(base, 'mdt-')
    mkdirSync(join(folder, 'versions'))
    copyFileSync('/bin/sh', join(folder, 'versions/sh'))
    const shell = link(join(makeFolder(base, 'mdt-'), 'sh'), join(folder, 'versions/sh'))
    const script = write(join(makeFolder(base), 'script'), `#!${shell}\necho yes\n`)
    return { words: [script], check: quoted(script) }
  },
  'a program on PATH, by a folder that is a link'(base) {
    const folder = makeFolder(base)
    write(join(folder, 'bin/mdt-named'), '#!/bin/sh\necho yes\n')
    const bin = link(join(makeFolder(base), 'current'), join(folder, 'bin'))
    return { env: { PATH: bin }, check: 'mdt-named' }
  },
  'a program that the first one starts'(base) {
    const agent = write(join(makeFolder(base), 'agent'), `#!/bin/sh\ncat "$(dirname "$0")/words"\n`)
    write(join(dirname(agent), 'words'), 'yes')
    return { programs: [relative('/usr', agent)], check: quoted(agent) }
  },
  'a file that a variable names'(base) {
    return { env: { MDT_FILE: write(join(makeFolder(base), 'ca.pem'), 'yes') }, check: 'cat "$MDT_FILE"' }
  },
  'the home'(base) {
    const home = makeFolder(base)
    write(join(home, '.agentrc'), 'yes')
    return { env: { HOME: home }, check: 'cat "$HOME/.agentrc"' }
  },
  'a spec behind a link'(base) {
    const spec = write(join(makeFolder(base), 'specs/a.test.md'), 'yes')
    const named = join(link(join(makeFolder(base), 'specs'), dirname(spec)), basename(spec))
    return { readable: [named], check: shows(named) }
  },
  'state that it writes'(base) {
    const state = makeFolder(base)
    return { writable: [state], check: `cd ${quoted(state)} && echo yes > new && cat new` }
  },
}

interface Setting {
  readonly base: string
  readonly env?: Readonly<Record<string, string>>
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const home = homedir()
const settings: Readonly<Record<string, () => Setting>> = {
  ...Object.fromEntries(
    ['/tmp', '/var/tmp', '/dev/shm', '/run', '/home', home]
      .filter(canWrite)
      .map((base): [string, () => Setting] => [base, () => ({ base })]),
  ),
  $TMPDIR() {
    const base = makeFolder(home, 'mdt-')
    return { base, env: { TMPDIR: base } }
  },
  'a link in /tmp': () => ({ base: link(join(makeFolder('/tmp', 'mdt-'), 'link'), makeFolder(home, 'mdt-')) }),
  'a link to /tmp': () => ({ base: link(join(makeFolder(home, 'mdt-'), 'link'), makeFolder('/tmp', 'mdt-')) }),
}

describe.skipIf(!found.ok)(`in the sandbox${skipReason}`, () => {
  test.concurrent.for(Object.keys(settings))('what is needed is there below %s', async (title, { expect }) => {
    const { base, env = {} } = settings[title]?.() ?? { base: tmpdir() }
    const all = Object.entries(needs).map(([name, make]) => ({ name, ...make(base) }))
    const project = makeFolder(base)
    write(join(project, 'data.txt'), 'project')
    const script = all.map(({ name, check }) => `echo ${quoted(name)} "$( (${check}) 2>&1)"`).join('\n')
    const path = [...all.flatMap((need) => need.env?.PATH ?? []), process.env.PATH].join(delimiter)
    const printed = await run(`${script}\ncat data.txt`, {
      cwd: project,
      env: { ...Object.assign({}, ...all.map((need) => need.env)), ...env, PATH: path },
      words: all.flatMap(({ words = [] }) => words),
      programs: all.flatMap(({ programs = [] }) => programs).map((word) => relative(project, join('/usr', word))),
      readable: all.flatMap(({ readable = [] }) => readable),
      writable: all.flatMap(({ writable = [] }) => writable),
    })
    expect(printed.split('\n')).toEqual([...all.map(({ name }) => `${name} yes`), 'project'])
  })

  test.concurrent('what is only read shows nothing of what lies beside it', async ({ expect }) => {
    const file = write(join(makeFolder('/tmp'), 'mcp.json'), 'servers\n')
    const beside = write(join(dirname(file), 'other.json'), 'of others\n')
    const script = `${shows(file)}; ${shows(beside)} 2>/dev/null || echo hidden`
    expect(await run(script, { readable: [file], words: [file] })).toBe('servers\nhidden\n')
  })

  test.concurrent('a program in a shared folder itself, and a PATH with it, show nothing else', async ({ expect }) => {
    const name = basename(makeFolder('/tmp', 'mdt-'))
    const agent = write(join('/tmp', `${name}.sh`), '#!/bin/sh\nls /tmp\n')
    made.push(agent)
    const env = { PATH: `${process.env.PATH}:/tmp` }
    const seen = (await run(`${name}.sh`, { env, words: [`${name}.sh`] })).split('\n')
    expect([seen.includes(`${name}.sh`), seen.includes(name)]).toEqual([true, false])
  })

  test.concurrent('a project that is a shared folder has another one for temporary files', async ({ expect }) => {
    const seen = makeFolder('/var/tmp', 'mdt-')
    const script = `ls -d ${basename(seen)}; echo x > "$TMPDIR/x" && cat "$TMPDIR/x"`
    expect(await run(script, { cwd: '/var/tmp', readable: ['/var/tmp'] })).toBe(`${basename(seen)}\nx\n`)
  })

  test.concurrent('a program cannot be changed in a folder that it may write', async ({ expect }) => {
    const state = makeFolder(home)
    const agent = write(join(state, 'local/bin/agent'), 'as it was\n')
    const script = `cd ${quoted(state)}; echo x > new && cat new; echo x > local/bin/agent || cat local/bin/agent`
    expect(await run(`${script} 2>&1`, { writable: [state], programs: [agent] })).toMatch(/^x\n[^]*as it was\n$/)
    expect(existsSync(join(state, 'new'))).toBe(true)
  })
})
