import { chmod } from 'node:fs/promises'
import { createProject, type Project } from './create-project.ts'

/**
 * A program named `claude` with an interface of its own: it runs the hooks it is given, obeys lines
 * that are typed and ends at the second Ctrl-C. `pass` and `fail` are its verdicts on the spec, `bytes` prints every byte value, `echo`
 * prints what is typed from there on, as it comes, up to `end of echo`, `paint` the file of that name; `wheel` turns a wheel.
 * With `NO_HOOKS` in its environment it runs none.
 */
const program = `#!${process.execPath}
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const prompt = process.argv.at(-1)
const log = /^Result log: (.*)$/m.exec(prompt)[1]
const run = /[0-9a-f]{32}/.exec(prompt)[0]
const { hooks } = JSON.parse(process.argv[process.argv.indexOf('--settings') + 1])
const note = (name) => process.env.NO_HOOKS || execFileSync('sh', ['-c', hooks[name][0].hooks[0].command], {
  input: JSON.stringify({ hook_event_name: name, session_id: '0', model: 'model-1' }),
})
const print = (text) => process.stdout.write(text)
const end = (status) => {
    writeFileSync(log, '---\\nstatus: ' + status + '\\nrun: ' + run + '\\n---\\n\\nDone.\\n')
    note('Stop')
}
const commands = {
  spin: () => setInterval(() => print('.'), 100),
  pass: () => end('pass'),
  fail: () => end('fail'),
  size: () => print('size ' + process.stdout.columns + 'x' + process.stdout.rows + '\\r\\n'),
  bytes: () => print(Buffer.from([...Buffer.from('<'), ...Array(256).keys(), ...Buffer.from('>')])),
  paint: () => print(readFileSync('paint')),
  wheel: () => setInterval(() => print('\\x1b[5;1H' + '|/-x'[(turns += 1) % 4]), 150),
  crash: () => { throw new Error('out of mugs') },
  echo() { isEcho = true; print('echoes') },
}
let isEcho = false
let turns = 0
let typed = ''
let interrupts = 0
process.stdin.setRawMode(true)
// Node's raw mode makes two bytes of a line feed.
execFileSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] })
note('SessionStart')
print('\\x1b[?1049h\\x1b[?25l\\x1b[?1000;1006h\\x1b[?2004h\\x1b[>1u\\x1b]0;claude\\x07ready\\r\\n')
process.stdout.on('resize', commands.size)
process.stdin.on('data', (keys) => {
  if (isEcho) {
    isEcho = !keys.includes('end of echo')
    return void print(keys)
  }
  for (const key of keys.toString()) {
    if (key === '\\x03') {
      print('interrupt ' + (interrupts += 1) + '\\r\\n')
      if (interrupts > 1 && !process.env.STUBBORN) process.exit(0)
    } else
    if (key !== '\\r') typed += key
    else { commands[typed]?.(); typed = '' }
  }
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
  appendFileSync('signals', signal + '\\n')
  if (!process.env.STUBBORN) setTimeout(() => process.exit(0), 100)
})
`

/** What SIGUSR2 does to the main process of Vitest. */
const onSignal = `if (process.env.ON_SIGUSR2 === 'throw') process.on('SIGUSR2', () => { throw new Error('of nobody') })
if (process.env.ON_SIGUSR2 === 'end worker') process.on('worker', (worker) => process.on('SIGUSR2', () => worker.terminate()))
`

/**
 * A project with specs that this program carries out. PATH is in `env`.
 *
 * @param programs shell scripts by the names under which they stand on PATH before all others
 */
export async function projectWithInterface(
  specs: Readonly<Record<string, string>> = { 'shop.test.md': '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n' },
  programs: Readonly<Record<string, string>> = {},
): Promise<{ readonly project: Project; readonly env: Readonly<Record<string, string>> }> {
  const project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\n${onSignal}export default { plugins: [mdtest({ agent: 'claude' })] }\n`,
    'bin/claude': program,
    'bin/package.json': '{ "type": "module" }\n',
    ...Object.fromEntries(Object.entries(programs).map(([name, text]) => [`bin/${name}`, text])),
    ...specs,
  })
  await Promise.all(['claude', ...Object.keys(programs)].map((name) => chmod(project.path(`bin/${name}`), 0o755)))
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  return {
    project,
    env: { PATH: `${project.path('bin')}:${PATH}`, HOME, TMPDIR, NO_COLOR: '1', TERM: 'xterm-256color' },
  }
}
