import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { browse } from '../support/scripts/browse.ts'
import { deskScripts, deskSpec } from '../support/scripts/desk-scripts.ts'
import { startDesk } from '../support/start-desk.ts'

const names = ['stock', 'danger', 'buy']

/** Without the line with key, agent and day. */
function blocksOf(recording: string): readonly string[] {
  return recording.match(/```browser\n[^]*?\n```/g) ?? []
}

describe.skipIf(skipReason !== '')(`what the agent \`browser\` did${skipReason}`, () => {
  test('is recorded, and replayed without a model; what is broken fails at its line', async () => {
    await using desk = await startDesk()
    const files = names.map((name) => [`${name}.test.md`, deskSpec(name, { baseUrl: desk.url })])
    await using browser = await createBrowserProject({ script: browse(deskScripts), files: Object.fromEntries(files) })
    const { project, env, model } = browser
    const made = await project.mdtest(['record'], { env, timeoutMs })
    expect(made.exitCode, made.all).toBe(0)
    const recorded = await Promise.all(names.map((name) => project.read(`${name}.recording.md`)))
    expect(recorded.map(blocksOf)).toEqual([
      ['```browser\ngoto /stock\nclick button in row "Bread 4 Remove"\n- status: 2 kinds, 8 pieces\n```'],
      [
        '```browser\ngoto /danger\nclick button "Delete all"\naccept dialog\n- status: All papers are deleted\n```',
        '```browser\nclick button "Rename"\naccept dialog "Zoe"\n- status: Renamed to Zoe\n```',
      ],
      [
        `\`\`\`browser
goto /buy
fill spinbutton "Count" "3"
click button "Order"
- status: Order [0-9a-fA-F]+ is placed (re)
- paragraph: "To pay: €12.60"
\`\`\``,
      ],
    ])
    const asked = model.conversations.length
    expect(asked).toBeGreaterThan(0)

    const elsewhere = { ...env, TZ: 'Pacific/Kiritimati', MDTEST_MODEL: 'none' }
    const replayed = await project.mdtest(['run', '--replay', 'only'], { env: elsewhere, timeoutMs })
    expect(replayed.exitCode, replayed.all).toBe(0)
    expect(replayed.all).toContain('4 replayed')

    await using broken = await startDesk('removes-next', 'price-wrong', 'rename-gone')
    const args = ['run', '--replay', 'only', '--base-url', broken.url]
    const failed = await project.mdtest(args, { env, timeoutMs })
    expect(failed.exitCode).toBe(1)
    const told = (name: string): string =>
      failed.all
        .split(' FAIL ')
        .slice(1)
        .find((one) => one.includes(`${name}.test.md`)) ?? ''
    expect(told('stock')).toMatch(/REPLAY_DIFFERS[^]*- status: 2 kinds, 8 pieces[^]*\+ status: 2 kinds, 7 pieces/)
    expect(told('danger')).toMatch(/REPLAY_STALE[^]*click button "Rename"/)
    expect(told('buy')).toMatch(/REPLAY_DIFFERS[^]*- paragraph: "To pay: €12\.60"[^]*\+ paragraph: "To pay: €22\.60"/)
    expect(model.conversations).toHaveLength(asked)
  })
})
