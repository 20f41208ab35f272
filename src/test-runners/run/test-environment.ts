/**
 * The environment in which tests run: nobody answers questions or watches, and output has no colors. A test runner
 * that we run inside of must not be taken for theirs.
 */
export function testEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { FORCE_COLOR: _color, NODE_TEST_CONTEXT: _context, ...rest } = env
  return { ...rest, CI: 'true', NO_COLOR: '1' }
}
