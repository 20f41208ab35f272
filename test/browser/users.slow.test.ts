import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { recordByHand } from '../support/hand-recording.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { contentOf, shownSpecIn } from '../support/report-summary.ts'
import { browse } from '../support/scripts/browse.ts'
import { open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { ask, fileName, loginOf, roleScripts, roleStory } from '../support/scripts/role-scripts.ts'
import { startRoles } from '../support/start-roles.ts'
import { hasTerminal, startWatch, watchFiles } from '../support/watch-session.ts'

/** A spec whose only step looks at the first page, signed in as the front matter says. */
const look = (url: string, front: string): string => `---
base-url: ${url}
${front}
---

# Look

Look at the first page.
`

const reporters = ['--reporter=json', '--reporter=vitest-mdtest/reporter']
const looks = (name: string): BrowserScript => [[open('/'), see(new RegExp(`^paragraph.*: Signed in as ${name}`))]]
/** Of these a specification of the name is. */
const lookAs = (names: Readonly<Record<string, string>>): Readonly<Record<string, BrowserScript>> =>
  Object.fromEntries(Object.entries(names).map(([spec, user]) => [spec, looks(user)]))

describe.skipIf(skipReason !== '')(`users of a browser spec${skipReason}`, () => {
  test('act in one scenario, each in a browser of their own that lasts', async () => {
    await using roles = await startRoles({ loginsThatMeet: 2 })
    await using browser = await createBrowserProject({
      script: browse(roleScripts, undefined, fileName),
      files: {
        'story.test.md': roleStory(roles.url),
        'AUTH_LOGIN.customer.md': loginOf('customer'),
        'AUTH_LOGIN.admin.md': loginOf('admin'),
      },
    })
    const { project, model, env } = browser
    const { stdout, all } = await project.mdtest(['run', '--reporter=json'], { env, timeoutMs })
    expect(verdictsOf(stdout, 'story.test.md'), all).toEqual(Array(3).fill('pass evidenced'))
    expect(roles.logins.toSorted()).toEqual(['admin', 'customer'])
    expect(roles.together).toBe(2)
    const [{ system = '' } = {}] = model.conversations.filter((each) => fileName(each) === 'story')
    expect(system).toContain('- 2-ship: Ship, as the user `admin`')
  })

  test('are signed in once, whatever their number of scenarios; who cannot be blocks what needs them alone', async () => {
    await using roles = await startRoles()
    const many = Array.from({ length: 10 }, (_, index) => [`c${index}`, `a${index}`] as const) // pairs
    const bad = ['locked', 'limited', 'hanging', 'wrong']
    await using browser = await createBrowserProject({
      script: browse(
        {
          ...roleScripts,
          ...lookAs(
            Object.fromEntries(
              many.flatMap(([c, a]) => [
                [c, 'customer'],
                [a, 'admin'],
              ]),
            ),
          ),
          ...Object.fromEntries(
            bad.flatMap((name) => [
              [name, looks(name)],
              [`AUTH_LOGIN.${name}`, ask(name)],
            ]),
          ),
          'AUTH_LOGIN.wrong': [[open('/login'), see(/^heading "Sign in"/)]],
          out: [[open('/'), see(/^heading "Sign in"/)]],
        },
        undefined,
        fileName,
      ),
      files: {
        ...Object.fromEntries(
          many.flatMap(([c, a]) => [
            [`${c}.test.md`, look(roles.url, 'login: customer')],
            [`${a}.test.md`, look(roles.url, 'login: admin')],
          ]),
        ),
        ...Object.fromEntries(
          bad.flatMap((name) => [
            [`${name}.test.md`, look(roles.url, `login: ${name}`)],
            [`AUTH_LOGIN.${name}.md`, loginOf(name)],
          ]),
        ),
        'out.test.md': look(roles.url, 'login: none'),
        'AUTH_LOGIN.md': loginOf('customer'),
        'AUTH_LOGIN.customer.md': loginOf('customer'),
        'AUTH_LOGIN.admin.md': loginOf('admin'),
      },
    })
    const { project, env } = browser
    const { stdout, all } = await project.vitest(['run', ...reporters], { env, timeoutMs })
    const of = (name: string): unknown => verdictsOf(stdout, `${name}.test.md`)
    const looked = Object.fromEntries([...many.flat(), ...bad, 'out'].map((name) => [name, of(name)]))
    expect(looked, all).toEqual({
      ...Object.fromEntries([...many.flat(), 'out'].map((name) => [name, ['pass evidenced']])),
      ...Object.fromEntries(bad.map((name) => [name, ['blocked LOGIN_FAILED']])),
    })
    expect(roles.logins.toSorted()).toEqual(['admin', 'customer'])
    const why = Object.fromEntries(
      bad.map((name) => [name, readJsonReport(stdout)[`${name}.test.md`]?.[0]?.messages?.[0] ?? '']),
    )
    for (const name of ['locked', 'limited', 'wrong'])
      expect(why[name]).toMatch(/^`AUTH_LOGIN\.\w+\.md` did not pass: .* Screenshot: AUTH_LOGIN\.\S+\.jpg\./)
    expect(why.hanging).toMatch(/^`AUTH_LOGIN\.hanging\.md` did not pass: /)
    const reported = readJsonReport(stdout)
    for (const name of bad)
      expect(reported[`${name}.test.md`]?.[0]?.log).toMatch(new RegExp(`^AUTH_LOGIN.${name}.logs/.*\\.log\\.md$`))
    // The report shows the picture beside the reason. There is no picture of a page that never comes.
    const images = await Promise.all(
      bad.map(async (name) => shownSpecIn(await contentOf(project, `${name}.test.md`)).steps[0]?.images.length),
    )
    expect(images).toEqual([1, 1, 0, 1])
    expect(why.wrong).toMatch(/ did not pass: \S+ does not show `Signed in as wrong`\. Screenshot: /)
  })

  test('begin with what Playwright saved, as long as it holds', async () => {
    await using roles = await startRoles()
    const users = ['kept', 'renewed', 'expired', 'revoked', 'gone']
    const saved = (name: string): string =>
      `login: { ${name}: { storage-state: auth/${name}.json, signed-in: Signed in as } }`
    await using browser = await createBrowserProject({
      script: browse(
        {
          ...lookAs({ ...Object.fromEntries(users.map((name) => [name, name])), plain: 'plain' }),
          'AUTH_LOGIN.renewed': ask('renewed'),
        },
        undefined,
        fileName,
      ),
      files: {
        ...Object.fromEntries(users.map((name) => [`${name}.test.md`, look(roles.url, saved(name))])),
        'plain.test.md': look(roles.url, 'login: { storage-state: auth/plain.json }'),
        ...Object.fromEntries(
          ['kept', 'renewed', 'expired', 'revoked', 'plain'].map((name) => [`auth/${name}.json`, roles.stateOf(name)]),
        ),
        'AUTH_LOGIN.renewed.md': 'Sign in as renewed.\n',
        'nobody.test.md': look(roles.url, 'tags: [a]\nlogin: nobody'),
      },
    })
    for (const name of ['renewed', 'revoked']) roles.revoke(name)
    const { project, env } = browser
    await project.write('auth/expired.json', roles.stateOf('expired').replace('"expires":-1', '"expires":1'))
    const { stdout, all } = await project.mdtest(['run', '--reporter=json'], { env, timeoutMs })
    const looked = Object.fromEntries(
      [...users, 'plain', 'nobody'].map((name) => [name, verdictsOf(stdout, `${name}.test.md`)]),
    )
    expect(looked, all).toEqual({
      kept: ['pass evidenced'],
      renewed: ['pass evidenced'],
      expired: ['blocked LOGIN_FAILED'],
      revoked: ['blocked LOGIN_FAILED'],
      gone: ['blocked LOGIN_FAILED'],
      plain: ['pass evidenced'],
      nobody: [],
    })
    expect(all).toMatch(
      /nobody\.test\.md:4:1 +unknown-login +Nothing says how `nobody` signs in\. Write `AUTH_LOGIN\.nobody\.md`/,
    )
    for (const name of ['expired', 'revoked'])
      expect(all).toMatch(
        new RegExp(`auth/${name}\\.json\` has expired: .* does not show \`Signed in as\`\\. Renew it`),
      )
    expect(all).toContain('`auth/gone.json` is not there. Renew it')
    expect(roles.logins).toEqual(['renewed'])
  })

  test('act in a replay without a model as what was saved, and in each shard for itself', async () => {
    await using roles = await startRoles()
    const saved = ['customer', 'admin'].map((name) => `  ${name}: { storage-state: auth/${name}.json }\n`).join('')
    const text = roleStory(roles.url).replace('login: customer\n', `login:\n${saved}`)
    const unsaved = roleStory(roles.url)
    const block = (...lines: readonly string[]): string =>
      ['```ts browser', "await page.goto('/')", ...lines, '```'].join('\n')
    const bodies = {
      Order: block(
        "await page.getByRole('button', { name: 'Order a mug' }).click()",
        'await see(\'listitem: "Mug for customer: waiting"\')',
      ),
      Ship: block(
        "await page.getByRole('button', { name: 'Ship all' }).click()",
        'await see(\'listitem: "Mug for customer: shipped"\')',
      ),
      Receive: block('await see(\'listitem: "Mug for customer: shipped"\')'),
    }
    const logins = ['customer', 'admin'].map((name) => [`unsaved/AUTH_LOGIN.${name}.md`, loginOf(name)])
    await using browser = await createBrowserProject({
      script: browse({ ...roleScripts, ...lookAs({ one: 'customer', two: 'admin' }) }, undefined, fileName),
      files: {
        'story.test.md': text,
        'story.recording.md': recordByHand(text, { bodies }),
        'unsaved/other.test.md': unsaved,
        'unsaved/other.recording.md': recordByHand(unsaved, { bodies }),
        ...Object.fromEntries(logins),
        'unsaved/one.test.md': look(roles.url, 'login: customer'),
        'unsaved/two.test.md': look(roles.url, 'login: admin'),
        'auth/customer.json': roles.stateOf('customer'),
        'auth/admin.json': roles.stateOf('admin'),
      },
    })
    const { project, env, model } = browser
    const args = ['run', 'story.test.md', 'unsaved/other.test.md', '--replay', 'only', '--reporter=json']
    const { stdout, all } = await project.mdtest(args, { env, timeoutMs })
    expect(verdictsOf(stdout, 'story.test.md'), all).toEqual(Array(3).fill('pass reproduced'))
    expect(verdictsOf(stdout, 'other.test.md'), all).toEqual([
      'blocked LOGIN_FAILED',
      ...Array(2).fill('skipped PREDECESSOR_FAILED'),
    ])
    expect(all).toContain('`AUTH_LOGIN.customer.md` needs an agent, and here none may be started. Save one before')
    expect([roles.logins, model.conversations]).toEqual([[], []])
    const shards = []
    for (const shard of ['1/2', '2/2']) {
      const ran = await project.vitest(['run', 'unsaved/one', 'unsaved/two', `--shard=${shard}`], { env, timeoutMs })
      shards.push([ran.exitCode, roles.logins.length])
    }
    expect(shards).toEqual([
      [0, 1],
      [0, 2],
    ])
  })
  test.runIf(hasTerminal())('are signed in anew in each run of a watch', async () => {
    await using roles = await startRoles()
    await using browser = await createBrowserProject({
      script: browse({ ...roleScripts, ...lookAs({ look: 'customer' }) }, undefined, fileName),
      options: { watchAgents: true },
      files: {
        ...watchFiles,
        '.env': 'OPENAI_API_KEY=sk-scripted\n',
        'look.test.md': look(roles.url, 'login: customer'),
        'AUTH_LOGIN.customer.md': loginOf('customer'),
      },
    })
    const passed = { 'look.test.md > Look': 'passed' }
    await using watch = await startWatch(browser.project, passed)
    roles.revoke('customer')
    await watch.expectRun(() => watch.press('a'), passed)
    expect(roles.logins).toEqual(['customer', 'customer'])
  })
})
