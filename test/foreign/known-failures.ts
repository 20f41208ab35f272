const itsOwnPlace = 'looks at the name and place of its file and folders, which are others here'

/**
 * Tests of foreign suites that do not pass, and why. The key is the file, and the title of the test or the rule that
 * the file breaks. README.md lists the same.
 */
export const knownFailures = {
  scrut: {
    'bash-vs-output-streams.md: Scrut waited for the whole 5 seconds': 'a process in the background holds up nothing',
    'environment.md: Haz TESTDIR': itsOwnPlace,
    'environment.md: Haz TESTFILE': itsOwnPlace,
    'environment.md: Haz TMPDIR': itsOwnPlace,
    'environment.md: Haz SCRUT_TEST': itsOwnPlace,
    'jsonschema.md: scrut-unsupported': '`mode: jsonschema` has no counterpart',
    'skip.md: Fail because of mismatching exit code': 'exit code 80 takes back no failure before it',
    'test-testcase-interpolation.md: scrut-unsupported': '`interpolated: true` has no counterpart',
  },
  mdx: {
    'environment-variable-unset.md: environment-variable-unset': 'expects a variable that its build sets',
    'root-option.md: root-option': 'is started with `--root`',
    'section.md: Not testing cram': 'is started with `--section`, so that mdx leaves this block out',
    'trailing-whitespaces.md: Remove trailing whitespace from output lines':
      'blanks at the end of a line count; mdx cuts them off',
  },
} as const
