// Converts ctrf/ctrf-report.json, written by `vitest-mdtest/ctrf`, to GitLab's code quality format.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const file = 'ctrf/ctrf-report.json'
const tests = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).results.tests : []
const failed = tests.filter(({ status }) => status === 'failed')
const entries = failed.map(({ name, message = '', filePath, line = 1 }) => ({
  description: `${name}: ${message.split('\n')[0]}`,
  check_name: 'vitest-mdtest',
  fingerprint: createHash('sha256').update(`${filePath}:${name}`).digest('hex'),
  severity: 'major',
  location: { path: filePath, lines: { begin: line } },
}))
console.log(JSON.stringify(entries, undefined, 2))
