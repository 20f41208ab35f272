interface Command {
  readonly command: string
  readonly output: readonly string[]
  /** Default: 0 */
  readonly exitCode?: number
}

/** Ten typical commands with their output and exit code. Half of the commands start processes. */
export const commands: readonly Command[] = [
  { command: 'greeting=hello; echo "$greeting"', output: ['hello'] },
  { command: "printf 'b\\na\\n' >list", output: [] },
  { command: 'sort list', output: ['a', 'b'] },
  { command: 'wc -l <list', output: ['2'] },
  { command: 'grep -c a list', output: ['1'] },
  { command: 'cat list', output: ['b', 'a'] },
  { command: 'ls', output: ['list'] },
  { command: 'echo "$greeting" | tr a-z A-Z', output: ['HELLO'] },
  { command: 'head -n 1 list', output: ['b'] },
  { command: 'rm list; test -e list', output: [], exitCode: 1 },
]

export function consoleSpec(title: string): string {
  return `---\nagent: none\ncwd: temp\n---\n\n# ${title}\n\n\`\`\`console\n${transcript()}\n\`\`\`\n`
}

/** The content of a `console` block. */
export function transcript(): string {
  const lines = commands.flatMap(({ command, output, exitCode }) => [`$ ${command}`, ...output, ...code(exitCode)])
  return lines.join('\n')
}

/** The same commands as a cram test. */
export function cramTest(): string {
  return transcript()
    .replace(/^(?=.)/gm, '  ')
    .concat('\n')
}

/** The same commands for bats. In bats each checked command is a test of its own and shares no variables. */
export function batsTest(): string {
  const tests = commands.map(
    ({ command, output, exitCode = 0 }, index) => `@test "command ${index + 1}" {
  step() { ${command}; }
  run step
  [ "$status" -eq ${exitCode} ]
  [ "$output" = $'${output.join('\\n')}' ]
}
`,
  )
  return `setup() {\n  cd "$BATS_FILE_TMPDIR"\n  greeting=hello\n}\n\n${tests.join('\n')}`
}

/** The same commands as a script without any checks. */
export function plainScript(): string {
  return `${commands.map(({ command }) => command).join('\n')}\nexit 0\n`
}

/** The exit code in the notation of both mdtest and cram. */
function code(exitCode: number | undefined): readonly string[] {
  return exitCode === undefined ? [] : [`[${exitCode}]`]
}
