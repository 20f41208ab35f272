/** Carried out once before browser specs; what it leaves in the browser is what they begin with. */
export const loginFile = 'AUTH_LOGIN.md'
