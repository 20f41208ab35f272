import { byModel, report, run } from '../support/model.ts'

export default {
  front: ["allow: ['Bash(node strict.mjs *)']"],
  spec: `# Wrong use

## An unknown command

Run \`node strict.mjs ad milk\`.

- [ ] It prints "unknown command" on standard error, and nothing else
- [ ] It exits with 2

## No command

Run \`node strict.mjs\` with an empty word.

- [ ] It exits with 64
`,
  files: {
    'strict.mjs':
      "const [command] = process.argv.slice(2)\nconsole.error(command ? 'unknown command ' + command : 'usage: strict COMMAND')\nprocess.exitCode = command ? 2 : 64\n",
  },
  ...byModel('claude', 'Tries what has to fail: exit codes, and words on standard error.', function* () {
    yield run('node strict.mjs ad milk')
    yield run('node strict.mjs ad milk 2>/dev/null; echo "exit: $?"')
    yield run('if ! node strict.mjs ad milk 2>"$MDTEST_SCRATCH/err.txt"; then cat "$MDTEST_SCRATCH/err.txt"; fi')
    const said = [{ quote: 'unknown command ad' }]
    yield report('1-an-unknown-command', { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: said })) })
    yield run('node strict.mjs \'\' 2>&1 >/dev/null | cat; echo "${PIPESTATUS[0]}"')
    yield run("set -o pipefail; node strict.mjs '' 2>&1 | head -n 1 || echo failed")
    yield run("node strict.mjs ''")
    yield report('2-no-command', {
      checks: [{ n: 1, status: 'pass', evidence: [{ quote: 'usage: strict COMMAND' }] }],
    })
  }),
}
