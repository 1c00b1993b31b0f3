import { randomBytes } from 'node:crypto';

/** 256 random bits as base64url: impossible to guess, so hashText is enough to store it. */
export const randomToken = (): string => randomBytes(32).toString('base64url');
