export function refuseUnderServer(root: string): void;
