// Run-time configuration: one build serves every environment, so its settings arrive as a file from the server.

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
  /** Base addresses of the two back ends of spec 7; empty means this page's own origin (D1). */
  readonly dashboardServerUrl: string;
  readonly top5ServerUrl: string;
  /** Where people reach this server, if the operator said so. */
  readonly publicUrl?: string;
  readonly timeTracker: boolean;
  /** Larger files are refused. */
  readonly attachmentMegabytes: number;
  /** The identity provider, where there is one: what it is called, and the only origin that it leads back to. */
  readonly singleSignOn?: { readonly name: string; readonly origin: string };
  readonly demoAccounts?: readonly DemoAccount[];
  readonly demoPassword?: string;
};

let loaded: Config | undefined;

/** Reads the configuration once, before anything is drawn. The document has asked for it already; the server lets nobody keep it. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`Couldn’t read the configuration (${response.status})`);
  loaded = (await response.json()) as Config;
  return loaded;
}

/** The configuration, once `loadConfig` has finished. */
export function config(): Config {
  if (!loaded) throw new Error('The configuration isn’t loaded yet');
  return loaded;
}
