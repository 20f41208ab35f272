import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { permit, type Permission } from '../../src/permissions/permit.ts'
import { isInside } from '../../src/system/files/paths.ts'

interface Row {
  readonly line: string
  /** `!`: has to be refused, for what it would write, load, start or look at; `?`: is refused all the same. */
  readonly mark: string
  /** What its agent would write in its place. */
  readonly next: string | undefined
  readonly judge: (line: string, rules?: readonly string[]) => Permission
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-corpus-')))
afterAll(() => rmSync(folder, { recursive: true }))

/** What agents write while they test: projects with their rules, `$`, `!` or `?` before a line, `>` before its later lines. */
const rows = readFileSync(new URL('corpus.txt', import.meta.url), 'utf8')
  .split(/\n\n(?=[A-Z])/)
  .flatMap((part, index): readonly Row[] => {
    const [head = '', ...entries] = part.split(/\n(?=[$!?] )/)
    const [cwd, scratch] = [join(folder, `${index}`, 'project'), join(folder, `${index}`, 'scratch')]
    mkdirSync(scratch, { recursive: true })
    for (const file of /^files (.*)$/m.exec(head)?.[1]?.split(' ') ?? []) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true })
      writeFileSync(join(cwd, file), '')
    }
    const allow = head.match(/Bash\([^)]*\)/g) ?? []
    const isOwn = (file: string): boolean => isInside(file, scratch)
    const judge = (line: string, rules: readonly string[] = []): Permission =>
      permit(line, {
        allow: [...allow, ...rules],
        directories: [cwd],
        home: cwd,
        roots: [cwd, scratch],
        scratchDir: scratch,
        isWritable: isOwn,
        isOwn,
        environment: new Set(['PATH', 'HOME', 'LANG', 'TERM']),
      })
    return entries.map((entry) => {
      const [shown = '', next] = entry.trimEnd().split('\nthen ')
      return { line: shown.slice(2).replaceAll('\n> ', '\n'), mark: entry.charAt(0), next, judge }
    })
  })

test('what agents write is executed, but for what forges, and for one harmless line in fifty', () => {
  const verdicts = rows.map(({ line, judge, mark }) => ({ line, mark, permission: judge(line) }))
  expect(verdicts.filter(({ permission, mark }) => permission.ok !== (mark === '$'))).toEqual([])
  expect(rows.length).toBeGreaterThan(350)
  expect(rows.filter(({ mark }) => mark === '?').length).toBeLessThanOrEqual(rows.length / 50)
})

const refused = rows.filter(({ mark }) => mark !== '$')

test.each(refused)('one more turn, or the rule, is enough for: $line', ({ line, next, judge }) => {
  const permission = judge(line)
  const rules = permission.ok ? [] : permission.rules
  expect(judge(next ?? line, next === undefined ? rules : [])).toMatchObject({ ok: true })
})
