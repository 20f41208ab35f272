import { describe, expect, test } from 'vitest'
import { claudeCall } from '../../../src/agents/claude/claude-events.ts'
import type { SeenCall } from '../../../src/host/evidence/agents-own-files.ts'
import { isProductActivity } from '../../../src/host/evidence/product-activity.ts'

const surroundings = {
  cwd: '/project',
  specFile: '/project/notes.test.md',
  specCopy: '/copy/notes.test.md',
  includedFiles: ['/project/shared/login.md'],
  logFile: '/project/notes.logs/t.log.md',
}
const seen = (call: Partial<SeenCall>): boolean =>
  isProductActivity({ kind: 'other', tool: 'Any', title: 'Any', files: [], ...call }, surroundings)
const command = (title: string): boolean => seen({ kind: 'command', tool: 'Bash', title })
/** A call of Claude Code, as its adapter describes it. */
const claude = (tool: string, input: Readonly<Record<string, unknown>> = {}): boolean =>
  seen(claudeCall('1', tool, input))
const file = (tool: string, path: string): boolean => claude(tool, { file_path: path })

describe('activity is', () => {
  test.for([
    ...['node notes.mjs add milk', 'cat notes.json', 'ls', 'cat notes.test.md && node notes.mjs list'],
    ...['cat /project/notes.test.md; ./run', 'node -e "process.exit()" notes.test.md'],
    `cat > /project/notes.logs/t.log.md <<'EOF'\nstatus: pass\nEOF\nnpm test`,
    ...['bash notes.test.md', 'echo "$(node notes.mjs list)"', 'echo `date`', 'echo milk > input.txt'],
    ...['echo milk | node notes.mjs add', `sh -c 'make milk'`, "node -p 'one; two'"],
    'cat "$F"; node notes.mjs "list" notes.test.md',
  ])('the command %j', (title) => {
    expect(command(title)).toBe(true)
  })

  test('a file of the product, a web page and a call of another server', () => {
    expect(file('Read', '/project/notes.mjs')).toBe(true)
    expect(file('Edit', 'notes.json')).toBe(true)
    expect(seen({ kind: 'web', tool: 'WebFetch', title: 'WebFetch http://127.0.0.1' })).toBe(true)
    expect(seen({ kind: 'browser', tool: 'mcp__playwright__click' })).toBe(true)
    expect(seen({ kind: 'mcp', tool: 'mcp__shop__pay' })).toBe(true)
    expect(seen({ kind: 'file', tool: 'file_change', files: ['/project/notes.logs/t.log.md', '/project/a'] })).toBe(
      true,
    )
  })
})

describe('no activity is', () => {
  test.for([
    ...["cat '/project/notes.test.md'", 'cat notes.test.md | head -n 20'],
    'cd /project && sed -n 1,200p notes.test.md',
    ...['FOO=1 cat notes.test.md', 'cat notes.recording.md', '/bin/cat notes.test.md'],
    'ls notes.logs; mkdir -p notes.logs',
    `cat > /project/notes.logs/t.log.md <<'EOF'\nstatus: pass\nnpm test\nEOF`,
    `cat <<EOF > notes.logs/t.log.md\nnode x\nEOF\n`,
    "printf 'status: pass' > notes.logs/t.log.md",
    ...['true', "echo 'added milk'", 'echo "added; node notes.mjs list"'],
    "cd /project && printf '%s > $x\n' milk; sleep 1",
    ...["cat notes.test.md | grep 'prints; node'", 'cat notes.test.md shared/login.md', 'head shared/login.md'],
  ])('the command %j', (title) => {
    expect(command(title)).toBe(false)
  })

  test("the spec, the log and its folder, mdtest's own tools and what Claude Code does for itself", () => {
    expect(file('Read', '/project/notes.test.md')).toBe(false)
    expect(file('Read', 'notes.test.md')).toBe(false)
    expect(file('Read', '/copy/notes.test.md')).toBe(false)
    expect(file('Read', 'shared/login.md')).toBe(false)
    expect(file('Write', '/project/notes.logs/t.log.md')).toBe(false)
    expect(file('Write', '/project/notes.logs/t/shot.png')).toBe(false)
    expect(seen({ kind: 'mcp', tool: 'mcp__mdtest__report_step' })).toBe(false)
    expect(claude('ToolSearch')).toBe(false)
    expect(claude('Read')).toBe(false)
    expect(claude('Grep')).toBe(true)
    expect(claude('TodoWrite')).toBe(false)
  })
})
