import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeWrongNode, supportedNode } from '../../src/commands/wrong-node.ts'

test('the versions are those of package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(supportedNode).toBe(engines.node)
})

test.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.0.0', '24.21.0', '26.0.0'])('%s will do', (version) => {
  expect(describeWrongNode(version)).toBe(undefined)
})

test.each(['4.9.1', '18.20.2', '20.18.3', '21.7.3', '22.11.0'])('%s is told, with what to do', (version) => {
  expect(describeWrongNode(version)).toBe(
    `This is Node.js ${version}, and mdtest needs ^20.19.0 || >=22.12.0. Install a newer one, for example with \`nvm install 22\`.`,
  )
})
