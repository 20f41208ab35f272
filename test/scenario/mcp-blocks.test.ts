import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ScenarioRun } from '../../src/scenario/scenario-run.ts'
import { startStockServer } from '../support/stock-server.ts'
import { useScenario } from './use-scenario.ts'

const openScenario = useScenario()

const shelf = fileURLToPath(new URL('../support/shelf-server.mjs', import.meta.url))

/** What became of a step of `mcp` blocks of these texts: its outcome and what is said of a failure. */
async function run(text: string, { servers = '' }: { readonly servers?: string } = {}): Promise<readonly string[]> {
  const front = `agent: none\nmcp-servers:\n  shelf:\n    command: node\n    args: ['${shelf}', 'words.txt']\n    env: { SHELF_OWNER: Ann, API_KEY: tiger-tiger-burning }\n    replayable: [put]\n${servers}`
  const { input, steps, root } = openScenario(`---\n${front}---\n\n# Shelf\n\n${text}\n`)
  writeFileSync(join(root, 'words.txt'), 'Done\n')
  const trees: number[] = []
  const host = { ...input.host, processStarted: ({ pid }: { readonly pid: number }) => void trees.push(pid) }
  const one = new ScenarioRun({ ...input, host })
  const found: string[] = []
  for (const { ordinal } of steps) {
    const { verdict } = await one.settle(ordinal, new AbortController().signal)
    found.push(
      [verdict.outcome, ...verdict.reasons.map(({ code, line, message }) => `${code} ${line} ${message}`)].join(' '),
    )
  }
  await one.finish()
  for (const pid of trees) await expect.poll(() => isThere(pid), { timeout: 60_000 }).toBe(false)
  return found
}

const mcp = (...lines: readonly string[]): string => `\`\`\`mcp server=shelf\n${lines.join('\n')}\n\`\`\``

it('calls tools in turn, with what was captured, and compares what they give', async () => {
  const first = mcp(
    '$ put {"thing": "tea"}',
    'Done: item {{number:/\\d+/}} is tea',
    '$ put',
    '> {"thing": "milk ${number}"}',
    'Done: item 2 is milk 1',
    '$ get {"number": "$number"}',
    'item 1: tea',
    '$ get {"number": 7}',
    'there is no item 7',
    '[1]',
  )
  const text = `## One\n\n${first}\n\n## Two\n\n${mcp('$ all', 'tea', '...')}\n\n\`\`\`sh\necho "$number" > n.txt\n\`\`\`\n`
  expect(await run(text)).toEqual(['pass', 'pass'])
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('tells what differs at its line, and what cannot be called', async () => {
  const failing = async (...lines: readonly string[]): Promise<string | undefined> =>
    (await run(`## One\n\n${mcp(...lines)}`))[0]
  expect(await failing('$ put {"thing": "tea"}', 'Done: item 2 is tea')).toMatch(
    /^fail RUN_FAILED 17 [^]*- Done: item 2[^]*\+ Done: item 1/,
  )
  expect(await failing('$ put {thing: 1}')).toContain('The input of `put` is no object in JSON.')
  expect(await failing('$ die')).toContain('The MCP server `shelf` cannot be used: Connection closed.')
  const other = mcp('$ all').replace('shelf', 'other')
  expect((await run(`## One\n\n${other}`))[0]).toContain('No MCP server `other` is known. Name it in `mcp-servers`')
  const slow = mcp('$ wait').replace('shelf', 'shelf timeout=1s')
  expect((await run(`## One\n\n${slow}`))[0]).toMatch(/^fail BLOCK_TIMEOUT/)
})

it('starts servers where the scenario works, with the environment of agents, and tells no secret of theirs', async () => {
  const who = mcp('$ who', 'Ann - root-* (glob)')
  const [first, told = ''] = await run(
    `## One\n\n${who}\n\n## Two\n\n${mcp('$ put {"thing": "tiger-tiger-burning"}', 'x')}`,
  )
  expect([first, told]).toEqual(['pass', expect.stringMatching(/^fail/)])
  expect(told).not.toContain('tiger-tiger')
})

it('reaches servers by HTTP', async () => {
  await using stock = await startStockServer({ mug: 3 })
  const servers = `  stock:\n    type: http\n    url: ${stock.url}\n    headers: { authorization: Bearer of-ann }\n`
  const block = (lines: string): string => `## One\n\n\`\`\`mcp server=stock\n${lines}\n\`\`\``
  expect(
    await run(block('$ count {"product": "mug"}\nIn stock: 3 of mug, said to Bearer of-ann'), { servers }),
  ).toEqual(['pass'])
  expect(stock.calls).toEqual(['mug by Bearer of-ann'])
  const [unknown] = await run(block('$ lost\n...'), { servers })
  expect(unknown).toMatch(/^fail RUN_FAILED/)
})
