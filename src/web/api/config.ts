// Run-time configuration: one build serves every environment, so its settings come as a file from the server.

export type DemoAccount = {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly can: string;
};

export type Config = {
  readonly appName: string;
  readonly appEnv: string;
  readonly demo: boolean;
  readonly companyTimeZone: string;
  /** Base addresses of the two back ends in spec 7; empty means this page's origin (D1). */
  readonly dashboardServerUrl: string;
  readonly top5ServerUrl: string;
  /** The server's public address, if configured. */
  readonly publicUrl?: string;
  readonly timeTracker: boolean;
  /** A sprint whose Monday is a company holiday ends on the next working day. */
  readonly holidayClose: boolean;
  /** Larger files are refused. */
  readonly attachmentMegabytes: number;
  /** Links to set a password go out by mail. */
  readonly mailsLinks: boolean;
  /** The identity provider, if configured: its name, and the only origin it returns to. */
  readonly singleSignOn?: { readonly name: string; readonly origin: string };
  readonly demoAccounts?: readonly DemoAccount[];
  readonly demoPassword?: string;
};

let loaded: Config | undefined;

/**
 * Reads the configuration once, before rendering. The document has already requested it; it is never cached.
 */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`Couldn’t read the configuration (${response.status})`);
  loaded = (await response.json()) as Config;
  return loaded;
}

/** The configuration, after `loadConfig`. */
export function config(): Config {
  if (!loaded) throw new Error('The configuration isn’t loaded yet');
  return loaded;
}
