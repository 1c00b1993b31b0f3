// An S3-compatible store for tests: npm's s3rver, which has no types.
import { createRequire } from 'node:module';

/** The part of it that is used here. */
type S3Server = { run(): Promise<{ port: number }>; close(): Promise<void> };
type S3ServerClass = new (options: {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
}) => S3Server;

export type TestBucket = {
  readonly port: number;
  stop(): Promise<void>;
};

const bucket = 'attachments';

/** One bucket, kept in `directory`. */
export async function startBucket(directory: string): Promise<TestBucket> {
  const S3rver = createRequire(import.meta.url)('s3rver') as S3ServerClass;
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return { port, stop: () => server.close() };
}

/** What `FILES_URL` says of the bucket, at a port that leads to it. */
export const bucketUrl = (port: number): string => `s3://S3RVER:S3RVER@${bucket}?endpoint=http://127.0.0.1:${port}`;
