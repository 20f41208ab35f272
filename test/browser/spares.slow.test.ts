import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { browserOf, browserProcessesOf, waitingServersBeside } from '../support/browser-processes.ts'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { specName } from '../support/scripts/browse.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { startShop } from '../support/start-shop.ts'
import type { ModelAction } from '../support/tool-dialect.ts'

const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })
const passed = 'pass observed'
const spec = (frontMatter = ''): string => `${frontMatter}# Shop\n\n## Open\n\nDo so.\n`

/** What was there when a scenario had seen its page. */
interface Sight {
  readonly spec: string
  /** Of its own browser. */
  readonly server: number | undefined
  /** Those that wait for a scenario of the run. */
  readonly waiting: readonly number[]
}

interface SparesRun {
  readonly sights: readonly Sight[]
  readonly verdicts: Readonly<Record<string, readonly string[]>>
  /** Names of its pictures, by spec. */
  readonly evidence: Readonly<Record<string, readonly string[]>>
  readonly said: readonly string[]
  readonly strays: readonly string[]
}

interface SparesSetup {
  readonly specs: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Called with what waits, when a scenario has seen its page. */
  onSight?(sight: Sight): void
}

/** Runs specs one after the other; looks in each for a browser that waits for the next one. */
async function runInTurn({ specs, args = [], onSight }: SparesSetup): Promise<SparesRun> {
  await using shop = await startShop()
  const sights: Sight[] = []
  const script = playTurn(function* () {
    const page = yield browserTool('browser_navigate', { url: shop.url })
    yield browserTool('browser_take_screenshot')
    yield callOwn('report_step', { step: '1-open', status: 'pass', observed: page.text })
    return 'Done.'
  })
  await using browser = await createBrowserProject({
    async script(conversation) {
      const name = specName(conversation)
      if (conversation.results.length === 2) {
        const { server } = browserProcessesOf(name, browser.project.dir)
        // The next one is started after the first call.
        const waiting = await waitFor(() => waitingServersBeside(server ?? 0))
        const sight = { spec: name, server, waiting }
        sights.push(sight)
        onSight?.(sight)
      }
      return script(conversation)
    },
    options: { maxAgents: 1, baseUrl: shop.url },
    test: { fileParallelism: false },
    files: Object.fromEntries(Object.entries(specs).map(([name, text]) => [`${name}.test.md`, text])),
  })
  const { project, env, model } = browser
  const { stdout } = await project.mdtest(['run', ...args, '--reporter=json'], { env, timeoutMs })
  const names = Object.keys(specs)
  const files = await readdir(project.dir, { recursive: true })
  return {
    sights,
    verdicts: Object.fromEntries(names.map((name) => [name, verdictsOf(stdout, `${name}.test.md`)])),
    evidence: Object.fromEntries(names.map((name) => [name, picturesIn(files, `${name}.logs/`)])),
    said: model.conversations.flatMap(({ results }) => results.map(({ text }) => text)),
    strays: model.strays,
  }
}

function picturesIn(files: readonly string[], folder: string): readonly string[] {
  return files.flatMap((file) => (file.startsWith(folder) && file.endsWith('.jpg') ? [basename(file)] : [])).toSorted()
}

/** Looks until something is there, for four seconds at most. */
async function waitFor(look: () => readonly number[]): Promise<readonly number[]> {
  for (let tries = 0; tries < 20; tries += 1) {
    const found = look()
    if (found.length > 0) return found
    await sleep(200)
  }
  return []
}

describe.skipIf(skipReason !== '')(`a browser that is open before its scenario${skipReason}`, () => {
  test('serves the next scenario, with evidence in the folder of that one; none is opened for nobody', async () => {
    const { sights, verdicts, evidence, said, strays } = await runInTurn({ specs: { a: spec(), b: spec(), c: spec() } })
    expect(verdicts).toEqual({ a: [passed], b: [passed], c: [passed] })
    expect(sights.map(({ waiting }) => waiting.length)).toEqual([1, 1, 0])
    expect(sights.slice(1).map(({ server }) => server)).toEqual(sights.slice(0, -1).map(({ waiting }) => waiting[0]))
    const pictures = ['01-1-open.jpg', 'end.jpg']
    expect(evidence).toEqual({ a: pictures, b: pictures, c: pictures })
    expect(said.filter((text) => /\/(?:workspace|evidence)\b/.test(text))).toEqual([])
    expect(said.filter((text) => /^- \[Screenshot of viewport\]\([abc]\.logs\/[^)]*\.png\)$/m.test(text))).toHaveLength(
      6,
    )
    expect(strays).toEqual([])
  })

  test('is opened anew where it, or its server, died meanwhile', async () => {
    let count = 0
    const { sights, verdicts } = await runInTurn({
      specs: { a: spec(), b: spec(), c: spec() },
      onSight({ waiting: [server] }) {
        count += 1
        if (server !== undefined) process.kill(count === 1 ? server : browserOf(server), 'SIGKILL')
      },
    })
    expect(verdicts).toEqual({ a: [passed], b: [passed], c: [passed] })
    expect(sights.map(({ waiting }) => waiting.length)).toEqual([1, 1, 0])
    expect(sights[1]?.server).not.toBe(sights[0]?.waiting[0])
  })

  test('serves no scenario that wants another', async () => {
    const { sights, verdicts } = await runInTurn({
      specs: { a: spec('---\nignore-https-errors: true\n---\n\n'), b: spec() },
    })
    expect(verdicts).toEqual({ a: [passed], b: [passed] })
    expect(sights[0]?.waiting).toHaveLength(1)
    expect(sights[1]?.server).not.toBe(sights[0]?.waiting[0])
  })
})
