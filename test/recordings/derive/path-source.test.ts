import { expect, it } from 'vitest'
import { holdsPath, pathSource } from '../../../src/recordings/derive/put-variable.ts'

const paths = ['/app', '/src/x', '/w', '/w/my project']

const found = [
  'cat P/a.txt',
  'cat "P/a.txt"',
  "cat 'P/a.txt'",
  'ls P',
  'cd P; ls',
  'PATH=P:/bin x',
  'x --out=P/a',
  'cc -IP/include',
  'curl -d @P/x -F f=@P/y :1',
  'node --import file://P/x.mjs',
  'docker run -v P:P x',
  '(P/run)',
  'wc -l <P/a',
  'echo x >P/a',
  'saved in P.',
  'see P, and P/b',
  String.raw`printf 'a\nP/b'`,
  String.raw`\x1b[36mP/a\x1b[39m (esc)`,
  '{"path":"P"}',
]

const others = [
  ...['cat packagesP/page.tsx', 'cat ./P1', 'cat .P/page.tsx', 'cat ..P/x', 'cat ~P/x', 'cat $HOMEP/x'],
  ...['cat "$HOME"P/x', 'cat "${HOME}"P/x', 'cat "$(pwd)"P/x', 'cat *P/x', 'import x from "@P/x"', 'cat Pé/x'],
  ...['cat P-old/x', 'cat P.json', 'ls P*', 'ls P_2', 'curl http://localhost:3000P/x', 'curl http://example.orgP'],
  ...['cat //P/x', 'echo éP'],
]

const cases = paths.flatMap((path) =>
  [...found.map((text) => [text, true] as const), ...others.map((text) => [text, false] as const)].map(
    ([text, isThere]) => [text.replaceAll('P', path), path, isThere] as const,
  ),
)

it.each(cases)('in `%s` stands %s: %s', (text, path, isThere) => {
  expect(new RegExp(pathSource([path]), 'u').test(text)).toBe(isThere)
})

it.each([`sed '/app/d' list`, `awk '/app/ {print $2}' list`, `sed -n '/app/,/end/p' list`, '<b></b></app>'])(
  'takes a pattern and a tag for no path: %s',
  (text) => {
    expect(new RegExp(pathSource(['/app']), 'u').test(text)).toBe(false)
  },
)

it.each([
  ['ls /app*', true],
  ['echo /app$1', true],
  ['Delete /app?', true],
  ['cat /app/x', true],
  ['cat /app-old/x', false],
  ['cat src/app*', false],
])('tells of /app: %s: %s', (text, isTold) => {
  expect(holdsPath(text, ['/app'])).toBe(isTold)
})
