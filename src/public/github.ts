export { GitHubReporter as default, type GitHubOptions } from '../vitest/reporters/github-reporter.ts'
