interface Command {
  readonly command: string
  /** Lines. */
  readonly output: readonly string[]
  /** Default: 0. */
  readonly exitCode?: number
}

/** Ten commands as people write them, half of which start processes: what they print and how they end. */
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

/** The lines of a block. */
export function transcript(): string {
  const lines = commands.flatMap(({ command, output, exitCode }) => [`$ ${command}`, ...output, ...code(exitCode)])
  return lines.join('\n')
}

/** The same for cram. */
export function cramTest(): string {
  return transcript()
    .replace(/^(?=.)/gm, '  ')
    .concat('\n')
}

/** The same for bats, where each command that is checked is a test; they share no variables. */
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

/** The same as a script that compares nothing. */
export function plainScript(): string {
  return `${commands.map(({ command }) => command).join('\n')}\nexit 0\n`
}

/** As both transcripts have it. */
function code(exitCode: number | undefined): readonly string[] {
  return exitCode === undefined ? [] : [`[${exitCode}]`]
}
