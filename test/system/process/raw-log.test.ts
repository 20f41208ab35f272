import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRawLog } from '../../../src/system/process/raw-log.ts'
import { useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()

describe('createRawLog', () => {
  test('keeps the head and says at once that it is full', async () => {
    const file = join(fixtures.directory, 'raw.log')
    const log = createRawLog(file, { maxBytes: 20 })
    for (const line of ['12345', '€', '12345', '1']) log.add('stdout', line)
    expect(await readFile(file, 'utf8')).toBe(
      'out| 12345\nout| €\ncut| The log is full: what came after this is not kept.\n',
    )
    log.close()
  })

  test('says that no more can be written', () => {
    const module = new URL('../../../.cache/compiled/system/process/raw-log.js', import.meta.url).href
    const script = `import { createRawLog } from ${JSON.stringify(module)}
      const log = createRawLog(${JSON.stringify(join(fixtures.directory, 'full.log'))})
      log.add('stdout', 'one')
      log.flush()
      log.add('stdout', 'two')
      log.close()
      console.log(log.error)`
    const node = [process.execPath, '--input-type=module', '--eval', script]
    const said = execFileSync('bash', ['-c', 'ulimit -f 0 && exec "$@"', 'bash', ...node], { encoding: 'utf8' })
    expect(said).toContain('EFBIG')
  })

  test('takes the place of a link, and follows it nowhere; a device stays', () => {
    const [target, file] = [join(fixtures.directory, '.env'), join(fixtures.directory, 'linked.log')]
    writeFileSync(target, 'KEY=1')
    symlinkSync(target, file)
    const log = createRawLog(file)
    log.add('stdout', 'one')
    log.close()
    expect([readFileSync(target, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['KEY=1', 'out| one\n'])
    expect(createRawLog('/dev/null').error).toContain('is a device')
  })
})
