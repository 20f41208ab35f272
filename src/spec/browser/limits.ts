/** How long a `goto` of a `browser` block waits for its page, where the block has no `timeout`, in milliseconds. */
export const navigationTimeoutMs = 20_000
