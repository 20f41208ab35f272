import { dartRunner } from './dart.ts'
import type { Runner } from '../runner.ts'

/** Patterns are regular expressions on full names. */
export const flutter: Runner = dartRunner('flutter')
