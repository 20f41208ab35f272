import { expect, it } from 'vitest'
import { mentions, movesShell, stateSetBy, uses } from '../../../src/recordings/derive/shell-state.ts'

it.each<[string, readonly string[], boolean]>([
  ['node notes.mjs add milk', [], false],
  ['ID=$(node notes.mjs add x)', ['ID'], false],
  ['A=1 B="two words"; node x "$A"', ['A', 'B'], false],
  ['cd sub && list+=(1 2)', ['list'], false],
  ['A=1 node x', [], false],
  ['(A=1; node x)', [], false],
  ["echo 'A=1; export B'", [], false],
  ['node x # A=1', [], false],
  ['add() { node x "$@"; }', ['add'], false],
  ['function add { node x; }', ['add'], false],
  ['for n in 1 2; do node x $n; done', ['n'], false],
  ['read -r id rest < id.txt', ['REPLY', 'MAPFILE', 'r', 'id', 'rest'], false],
  ['printf -v id %s x', ['id'], false],
  ['echo "${id:=7}"', ['id'], false],
  ['((n += 1)); node x', ['n'], false],
  ['export A=1', [], true],
  ['if true; then set -e; fi', [], true],
  ['. ./env.sh', [], true],
  ['shopt -s nullglob; ls', [], true],
  ['cd sub', [], false],
  ['exit 3', [], false],
])('knows what %s sets', (command, names, isForAll) => {
  expect(stateSetBy(command)).toEqual({ names, isForAll })
})

it.each<[string, string, boolean]>([
  ['echo "$ID"', 'ID', true],
  ['echo "${ID}"', 'ID', true],
  ['echo "${#ID}" $((ID + 1))', 'ID', true],
  ['add milk', 'add', true],
  ['export ID', 'ID', true],
  ['ID+=1', 'ID', true],
  ['echo $IDS -n $n2 my-add x.add', 'ID', false],
  ['node x my-add --add x.add', 'add', false],
])('knows whether %s means %s', (text, name, isMeant) => {
  expect(mentions(text, name)).toBe(isMeant)
})

it.each<[string, string, boolean]>([
  ['ID=2; echo $ID', 'ID', false],
  ["ID='a b' && echo $ID", 'ID', false],
  ['for n in 1 2; do echo $n; done', 'n', false],
  ['ID=2 echo $ID', 'ID', true],
  ['ID=$ID-x; echo $ID', 'ID', true],
  ['test -f x && ID=2; echo $ID', 'ID', true],
])('knows whether %s needs %s from before', (command, name, isNeeded) => {
  expect(uses(command, name)).toBe(isNeeded)
})

it.each<[string, boolean]>([
  ['cd sub && X=1', true],
  ['X=1; pushd sub', true],
  ['(cd sub; ls); X=1', false],
  ["echo 'cd sub'", false],
])('knows whether %s moves the shell', (command, isMoved) => {
  expect(movesShell(command)).toBe(isMoved)
})
