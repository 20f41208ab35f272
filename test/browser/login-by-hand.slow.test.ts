import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { browse } from '../support/scripts/browse.ts'
import { open, see } from '../support/scripts/browser-moves.ts'
import { fileName, loginOf, roleScripts } from '../support/scripts/role-scripts.ts'
import { displayUnavailable, startDisplay } from '../support/start-display.ts'
import { startRoles } from '../support/start-roles.ts'

const why = skipReason || (displayUnavailable === undefined ? '' : ` (skipped: no ${displayUnavailable})`)

describe.skipIf(why !== '')(`mdtest login${why}`, () => {
  test('saves what a person signed in to, where git does not take it, and specs begin with it', async () => {
    await using display = await startDisplay()
    await using roles = await startRoles()
    await using browser = await createBrowserProject({
      script: browse(
        { ...roleScripts, look: [[open('/'), see(/^paragraph.*: Signed in as admin/)]] },
        undefined,
        fileName,
      ),
      files: { 'look.test.md': `---\nbase-url: ${roles.url}\nlogin: admin\n---\n\n# Look\n\nLook.\n` },
    })
    const { project } = browser
    const env = { ...browser.env, DISPLAY: display.name }
    execFileSync('git', ['init', '-q'], { cwd: project.dir })
    const tracked = await project.mdtest(['login', 'admin', '--base-url', roles.url, '--output-file', 'admin.json'], {
      env,
    })
    expect([tracked.exitCode, tracked.all]).toEqual([2, expect.stringContaining('git would track `admin.json`')])
    const bin = project.path('node_modules/vitest-mdtest/dist/bin.js')
    const { PATH, HOME } = process.env
    const byHand = spawn(process.execPath, [bin, 'login', 'admin', '--base-url', `${roles.url}/admit`], {
      ...{ cwd: project.dir, env: { ...env, PATH, HOME } },
    })
    let all = ''
    for (const stream of [byHand.stdout, byHand.stderr]) stream.on('data', (text) => (all += String(text)))
    const ended = once(byHand, 'exit')
    while (roles.logins.length === 0 && byHand.exitCode === null) await sleep(100)
    await sleep(1000)
    byHand.stdin.write('\n')
    expect((await ended)[0], all).toBe(0)
    expect(all).toContain('Saved in `.mdtest/logins/admin.json`')
    expect(statSync(project.path('.mdtest/logins/admin.json')).mode & 0o777).toBe(0o600)
    const run = (...flags: readonly string[]) => project.mdtest(['run', ...flags], { env, timeoutMs })
    const begun = await run()
    expect(begun.exitCode, begun.all).toBe(0)
    expect(roles.logins).toEqual(['admin'])
    // Once it has expired, the login signs in, and its state takes the place of the one before.
    roles.revoke('admin')
    await project.write('AUTH_LOGIN.admin.md', loginOf('admin'))
    const renewed = await run('--save-logins')
    expect(renewed.exitCode, renewed.all).toBe(0)
    const again = await run()
    expect(again.exitCode, again.all).toBe(0)
    expect(roles.logins).toEqual(['admin', 'admin'])
  })
})
