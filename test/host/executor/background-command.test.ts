import { expect, it } from 'vitest'
import { backgroundCommand } from '../../../src/host/executor/run-commands.ts'

it.each<[string, string | undefined]>([
  ['node server.mjs &', 'node server.mjs'],
  ['node server.mjs > log 2>&1 &', 'node server.mjs > log 2>&1'],
  ['node server.mjs &>log & # it runs', 'node server.mjs &>log'],
  ['cd app && PORT=3000 node server.mjs | tee log &\n', 'cd app && PORT=3000 node server.mjs | tee log'],
  ["node server.mjs 'a; b & c' &", "node server.mjs 'a; b & c'"],
  ['node server.mjs', undefined],
  ['node server.mjs && ls', undefined],
  ['npm run build; node server.mjs &', undefined],
  ['node a.mjs & node b.mjs &', undefined],
  ['node server.mjs & sleep 1', undefined],
  ["echo 'a &'", undefined],
  [String.raw`echo a \&`, undefined],
  ['ls # a &', undefined],
])('of %s', (line, command) => {
  expect(backgroundCommand(line)).toBe(command)
})
