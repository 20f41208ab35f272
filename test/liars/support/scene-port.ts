/**
 * A port for a service of a scene, below those that the system gives away. It is another one in each worker: test files run
 * at once, and some run the same scene.
 *
 * @param n number of the scene's port, 0 to 99
 */
export function scenePort(n: number): number {
  return 18_000 + 100 * Number(process.env.VITEST_POOL_ID ?? 0) + n
}
