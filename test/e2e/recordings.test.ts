import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { recordByHand, transcript } from '../support/hand-recording.ts'

const config = (options: string): string =>
  `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'claude', ${options} })] }\n`

/** A spec with steps of prose, and its recording, in which each says its title. */
function said(spec: string, titles: readonly string[], more = ''): readonly [spec: string, recording: string] {
  const bodies = Object.fromEntries(titles.map((title) => [title, transcript(`$ cat app.txt`, '...', 'app', '...')]))
  return [spec, recordByHand(spec, { bodies, more })]
}

const plainSpec = '# Plain\n\n## One\n\nDo one.\n\n## Two\n\nDo two.\n'
const gone = `## Gone\n\n<!-- mdtest: key=00000000 -->\n\n${transcript('$ cat app.txt', 'app')}\n`
const plain = said(plainSpec, ['One', 'Two'], gone)
const odd = said('# Say "a" & *b* `c` #d\n\nDo it.\n', ['Say "a" & b c #d'])
const crlf = said('# A\n\n## One\n\nDo one.\n\n# B\n\nDo b.\n', ['One', 'B'])
const rows = said('# Rows\n\n## Order <what>\n\nOrder it.\n\n### Examples\n\n| what |\n| --- |\n| tea |\n| ü "b" |\n', [
  'Order tea',
  'Order ü "b"',
])
const shared = '## Log in\n\nLog in.\n'
const includes = '---\ninclude: [../shared.md]\ncwd: copy\n---\n\n# Includes\n\n## Own\n\nDo it.\n'
const service =
  '# Service\n\n## Setup\n\n```sh run background wait=file:up.txt\necho up > up.txt; exec sleep 60\n```\n\n## Look\n\nLook.\n'
const wrong = said('# Wrong\n\n## One\n\nDo one.\n', ['One'])
const bothSpec = '# Both\n\nDo it.\n'

const files: Readonly<Record<string, string>> = {
  'vitest.config.js': config("include: ['specs/**/*.md'], replay: 'only', recordings: true"),
  'app.txt': 'app\n',
  'shared.md': shared,
  'specs/plain.md': plain[0],
  'specs/plain.recording.md': plain[1],
  "specs/o d/#ü 'q'.test.md": odd[0],
  "specs/o d/#ü 'q'.recording.md": odd[1],
  'specs/crlf.test.md': crlf[0].replaceAll('\n', '\r\n'),
  'specs/crlf.recording.md': `\uFEFF${crlf[1].replaceAll('\n', '\r\n')}`,
  'specs/rows.test.md': rows[0],
  'specs/rows.recording.md': rows[1],
  'specs/includes.test.md': includes,
  'specs/includes.recording.md': recordByHand(includes.replace('../shared', 'shared'), {
    included: { 'shared.md': shared },
    bodies: { 'Log in': transcript('$ cat app.txt', 'app'), Own: transcript('$ ls app.txt', 'app.txt') },
  }),
  'specs/service.test.md': service,
  'specs/service.recording.md': recordByHand(service, { bodies: { Look: transcript('$ cat up.txt', 'up') } }),
  'specs/wrong.test.md': wrong[0],
  'specs/wrong.recording.md': wrong[1].replace('...\napp\n...', 'bread'),
  'specs/both.md': bothSpec,
  'specs/both.test.md': bothSpec,
  'specs/both.recording.md': `---\nrecording-of: both.md\nkeys: 2\n---\n\n${said(bothSpec, ['Both'])[1]}`,
  'specs/keys.test.md': plain[0],
  'specs/keys.recording.md': `---\nrecording-of: keys.test.md\nkeys: 1\n---\n\n${plain[1]}`,
  'specs/lost.recording.md': `---\nrecording-of: lost.test.md\nkeys: 2\n---\n\n${gone}`,
  'specs/many.test.md': `---\nrepeats: 2\n---\n\n${plain[0]}`,
  'specs/many.recording.md': plain[1].replace(gone, ''),
  'specs/retry.test.md': '# Retry\n\n<!-- mdtest: retry=1 -->\n\nDo it.\n',
}

test('replays whatever a spec is called and made of, tells what is obsolete, and `-u` writes it anew', async () => {
  await using project = await createProject(files)
  const all = await project.vitest(['run'])
  const failed = [...all.all.matchAll(/^ FAIL .*?(specs\/[\w.]+)/gm)].map(([, name = '']) => name)
  expect([...new Set(failed)].toSorted(), all.all).toEqual([
    'specs/both.test.md',
    'specs/keys.test.md',
    'specs/many.test.md',
    'specs/retry.test.md',
    'specs/wrong.test.md',
  ])
  expect(all.stdout).toContain('Record them again: npx vitest-mdtest record specs/keys.test.md')
  expect(all.all).toContain('two specs cannot share one recording')
  expect(all.all).toContain('REPLAY_DIFFERS')
  expect(all.all).toContain('REPLAY_MISSING')
  expect(all.all).not.toContain('AGENT_NOT_FOUND')
  expect(all.all).toMatch(/Tests .*11 passed/)
  expect(all.stdout).toMatch(/Snapshots +1 obsolete/)
  expect(all.stdout).toMatch(/line \d+: Gone/)
  expect(all.stdout).toMatch(/obsolete: specs\/plain\.recording\.md:\d+ "Gone": no step of the spec has it any more\./)
  expect(all.stdout).toContain('obsolete: specs/lost.recording.md: its spec is gone.')

  const ofLine = await project.mdtest(['run', 'specs/plain.md:3'])
  expect(ofLine.stdout).toContain('1 passed')
  expect(ofLine.stdout).not.toContain('obsolete')

  // An agent alone could not reach this level.
  const wrongOnly = ['run', 'specs/wrong.test.md', '--replay', 'auto', '--min-assurance', 'reproduced']
  const notHandedOver = await project.mdtest(wrongOnly, { env: { CI: '' } })
  expect(notHandedOver.exitCode).toBe(1)
  expect(notHandedOver.all).toContain('REPLAY_DIFFERS')
  expect(notHandedOver.all).not.toMatch(/AGENT_NOT_FOUND|handed over/)

  const updated = await project.vitest(['run', 'specs/plain.md', 'specs/wrong.test.md', '-u'])
  expect(updated.exitCode, updated.all).toBe(0)
  expect(updated.stdout).toMatch(/Snapshots +1 updated[^]*1 removed/)
  expect(updated.stdout).toContain('3 passed: 2 reproduced, 1 observed')
  expect(updated.stdout).toContain('unproved: 1 step is compared with nothing but what this run has written.')
  expect(await project.read('specs/plain.recording.md')).toBe(plain[1].replace(`\n${gone}`, ''))
  expect(await project.read('specs/wrong.recording.md')).toContain('$ cat app.txt\napp\n')
})

test('checks what is recorded without an agent', async () => {
  const spec = (title: string): string => `---\ncwd: copy\n---\n\n# ${title}\n\nDo it.\n`
  const recorded = (title: string, more: string, ...lines: readonly string[]): Readonly<Record<string, string>> => ({
    [`${title}.test.md`]: spec(title),
    [`${title}.recording.md`]: recordByHand(spec(title), { bodies: { [title]: transcript(...lines) }, more }),
  })
  await using project = await createProject({
    'vitest.config.js': config(''),
    'app.sh': 'echo "added $1"\n',
    ...recorded('good', '', '$ sh app.sh milk', 'added milk'),
    ...recorded('old', gone, '$ sh app.sh milk', 'added milk'),
    ...recorded('other', '', '$ sh app.sh milk', 'added bread'),
    ...recorded('vacuous', '', '$ sh app.sh milk > /dev/null; echo added milk', 'added milk'),
  })
  const all = await project.mdtest(['record', '--check'])
  expect(all.exitCode, all.all).toBe(1)
  expect(all.stdout).toContain('as recorded: good.recording.md')
  expect(all.stdout).toContain('not as recorded: old.recording.md')
  expect(all.all).toContain('REPLAY_DIFFERS')
  expect(all.stdout).toMatch(/vacuous\.test\.md:5 "vacuous": VACUOUS/)
  expect(all.stdout).not.toMatch(/(?:good|old|other)\.test\.md:5 "\w+": VACUOUS/)
  expect(await project.read('old.recording.md')).toContain('Gone')
})
