export function parseEnvFile(text: string, file: string, warnings?: string[]): Map<string, string>;
export function loadEnvFile(file: string, env?: Record<string, string | undefined>): string[];
