/** How a pass can be backed, weakest first. */
export const assurances = ['claimed', 'observed', 'evidenced', 'verified'] as const // literals, for the type

export type Assurance = (typeof assurances)[number]
