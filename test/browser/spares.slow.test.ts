import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { browserOf, browserProcessesOf, waitingServersBeside } from '../support/browser-processes.ts'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { happensWithin } from '../support/leftovers.ts'
import { specName } from '../support/scripts/browse.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { startShop } from '../support/start-shop.ts'
import type { ModelAction } from '../support/tool-dialect.ts'

const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })

/** What was there when a scenario had seen its page. */
interface Sight {
  readonly spec: string
  /** Of its own browser. */
  readonly server: number
  /** Those that wait for a scenario of the run. */
  readonly waiting: readonly number[]
}

const names = ['a', 'b', 'c', 'd', 'wants-another']
const shopSpec = '# Shop\n\n## Open\n\nDo so.\n'
const wantsAnother = `---\nignore-https-errors: true\n---\n\n${shopSpec}`
/** What is killed of the browser that waits behind the scenario at this place, by its server. */
const killed: Readonly<Record<number, (server: number) => number>> = { 1: (server) => server, 2: browserOf }

function picturesIn(files: readonly string[], folder: string): readonly string[] {
  return files.flatMap((file) => (file.startsWith(folder) && file.endsWith('.jpg') ? [basename(file)] : [])).toSorted()
}

test.skipIf(skipReason !== '')(
  `a browser that is open before its scenario serves it, unless it or its server died, or another is wanted${skipReason}`,
  async () => {
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
        const spec = specName(conversation)
        if (conversation.results.length === 2) {
          const place = sights.length
          const { server = 0 } = browserProcessesOf(spec, browser.project.dir)
          const look = (): readonly number[] => waitingServersBeside(server)
          // The next one is started after the first call. Behind the last spec nobody waits for one.
          await happensWithin(place === names.length - 1 ? 3_000 : 120_000, () => look().length > 0)
          const waiting = look()
          sights.push({ spec, server, waiting })
          const victimOf = killed[place]
          if (victimOf !== undefined) for (const one of waiting) process.kill(victimOf(one), 'SIGKILL')
        }
        return script(conversation)
      },
      options: { maxAgents: 1, baseUrl: shop.url },
      test: { fileParallelism: false },
      files: Object.fromEntries(
        names.map((name) => [`${name}.test.md`, name === 'wants-another' ? wantsAnother : shopSpec]),
      ),
    })
    const { project, env, model } = browser
    const { stdout, all } = await project.mdtest(['run', '--reporter=json'], { env, timeoutMs })
    expect(
      names.map((name) => verdictsOf(stdout, `${name}.test.md`)),
      all,
    ).toEqual(names.map(() => ['pass observed']))
    const isThere = sights.map(({ waiting }) => waiting.length > 0)
    expect(isThere.slice(0, -1)).toEqual([true, true, true, true])
    // Who is the last finds what it did not want, at most.
    const [before, last] = sights.slice(-2).map(({ waiting }) => waiting)
    expect(last?.filter((server) => !before?.includes(server))).toEqual([])
    const isServed = sights.map(({ server }, place) => server === sights[place - 1]?.waiting[0])
    const isWanted = sights.map(({ spec }, place) => {
      const isOther = [spec, sights[place - 1]?.spec].includes('wants-another')
      return place > 0 && killed[place - 1] === undefined && !isOther
    })
    expect(isServed).toEqual(isWanted)
    expect(isServed).toContain(true)

    const files = await readdir(project.dir, { recursive: true })
    const pictures = ['01-1-open.jpg', 'end.jpg']
    expect(names.map((name) => picturesIn(files, `${name}.logs/`))).toEqual(names.map(() => pictures))
    const said = model.conversations.flatMap(({ results }) => results.map(({ text }) => text))
    expect(said.filter((text) => /\/(?:workspace|evidence)\b/.test(text))).toEqual([])
    const links = said.filter((text) => /^- \[Screenshot of viewport\]\([\w-]+\.logs\/[^)]*\.png\)$/m.test(text))
    expect(links).toHaveLength(2 * names.length)
    expect(model.strays).toEqual([])
  },
)
