/**
 * Name of the folder of each project that tests make: what shells, URLs, globs, patterns and command lines take for
 * something else. No `:`, which ends a folder of `PATH`; short, because paths of sockets end at some 100 bytes.
 */
export const hostileName = "a b (c) #1 %20 $HOME 'q' ü 日本"

/**
 * The same for projects with Vitest. It finds no test file below a folder with both `#` and `%`; with `#` alone it shows
 * no code frame, and Vite warns; with `%20` it finds no source map, and with another `%` its `vmThreads` do not start.
 */
export const hostileViteName = "a b (c) $HOME 'q' ü 日本"
