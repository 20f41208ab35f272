import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeSessionPage } from '../../src/report/fix-session-page.ts'
import { useFolders } from '../host/use-folder.ts'

const createFolder = useFolders()

test('a session of `mdtest fix` is a page of the same shell, its attempts are steps', async () => {
  const folder = createFolder()
  writeSessionPage({
    dir: folder.at('page'),
    root: folder.path,
    title: 'cart: success',
    text: '# cart: success\n\nAll passed.\n\n## What was tried\n\n### Attempt 1 (session 1)\n\nIt <b>broke</b>.\n\n### Attempt 2 (session 1)\n\nFixed.\n',
    isSuccess: true,
    attempts: [
      { heading: 'Attempt 1 (session 1)', isKept: false },
      { heading: 'Attempt 2 (session 1)', isKept: true },
    ],
    startedAt: '2026-02-10T14:30:00.000Z',
    durationMs: 9_000,
  })
  const summary = await readFile(folder.at('page/summary.js'), 'utf8')
  expect(JSON.parse(summary.slice('var mdtestSummary='.length))).toMatchObject({
    name: 'Session',
    endedAt: '2026-02-10T14:30:09.000Z',
    specs: [{ title: 'cart: success', tone: 'pass', steps: [{ tone: 'fail' }, { tone: 'pass' }] }],
  })
  const [spec = ''] = await readdir(folder.at('page/specs'))
  const shown = await readFile(folder.at(`page/specs/${spec}`), 'utf8')
  expect(shown).toContain('"line":7')
  expect(shown).not.toContain('<b>')
  expect(await readdir(folder.at('page'))).toContain('index.html')
})
