import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const KEY_ID = 'reader';
const SECRET = 'a/secret+of=the bucket';
const BUCKET = 'parley-test';
const REGION = 'eu-test-1';

/**
 * Address of a real service for testing the file store, such as versitygw, as in `FILES_URL`; null if there is none.
 */
export const REAL_BUCKET = process.env.TEST_FILES_URL ?? null;

/** What goes wrong with every further request, or with the content that is read. */
export type BucketFault = 'none' | 'unavailable' | 'silent' | 'truncated' | 'stalled' | 'altered';

/**
 * A service with the part of Amazon S3's protocol that Parley uses; it verifies signatures and checksums like the
 * original.
 */
export class BucketServer {
  readonly objects = new Map<string, Buffer>();
  fault: BucketFault = 'none';
  /** Dates until which objects are locked, by name; null in a bucket without object lock. */
  locks: Map<string, string> | null = null;
  /** Maximum number of names in one response. */
  pageSize = 1_000;
  private readonly uploads = new Map<string, Map<number, Buffer>>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<BucketServer> {
    const bucket = new BucketServer();
    bucket.server.listen(0, '127.0.0.1');
    await once(bucket.server, 'listening');
    return bucket;
  }

  /** For `FILES_URL`. */
  url(prefix = '', secret = SECRET): string {
    const { port } = this.server.address() as AddressInfo;
    const credentials = [KEY_ID, secret].map(encodeURIComponent).join(':');
    return `s3+http://${credentials}@127.0.0.1:${port}/${BUCKET}/${prefix}?region=${REGION}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.fault === 'silent') return;
    const body = await buffer(request);
    if (this.fault === 'unavailable') return refuse(response, 503, 'SlowDown');
    if (!isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const [, bucket, ...parts] = pathname.split('/');
    if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(parts.join('/'));
    if (key === '') this.list(searchParams, response);
    else if (searchParams.has('uploads') || searchParams.has('uploadId'))
      this.takePieces(key, request.method ?? '', searchParams, body, response);
    else if (request.method === 'PUT') this.put(key, request, body, response);
    else if (request.method === 'DELETE') this.remove(key, response);
    else this.get(key, request, response);
  }

  private put(key: string, { headers }: IncomingMessage, body: Buffer, response: ServerResponse): void {
    if (Number(headers['content-length']) !== body.length)
      return refuse(response, 411, 'MissingContentLength');
    const sum = headers['x-amz-checksum-sha256'];
    if (sum !== undefined && sum !== sumOf(body)) return refuse(response, 400, 'BadDigest');
    const until = headers['x-amz-object-lock-retain-until-date'];
    if (until !== undefined) {
      const isSummed = sum !== undefined && headers['x-amz-sdk-checksum-algorithm'] === 'SHA256';
      const isRight = headers['x-amz-object-lock-mode'] === 'COMPLIANCE' && isSummed;
      if (!this.locks || !isRight) return refuse(response, 400, 'InvalidRequest');
      this.locks.set(key, String(until));
    }
    this.objects.set(key, body);
    response.writeHead(200, { etag: '"etag"' }).end();
  }

  private get(key: string, { method, headers }: IncomingMessage, response: ServerResponse): void {
    const stored = this.objects.get(key);
    if (!stored) return refuse(response, 404, 'NoSuchKey', method === 'HEAD');
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
    const [start, end] = range
      ? [Number(range[1]), Number(range[2] || stored.length - 1)]
      : [0, stored.length - 1];
    const content = Buffer.from(stored.subarray(start, end + 1));
    if (this.fault === 'altered') content[0] = (content[0] ?? 0) ^ 1;
    const until = this.locks?.get(key);
    response.writeHead(range ? 206 : 200, {
      ...(until !== undefined && {
        'x-amz-object-lock-mode': 'COMPLIANCE',
        'x-amz-object-lock-retain-until-date': until,
      }),
      'content-length': content.length,
      ...(range && { 'content-range': `bytes ${start}-${end}/${stored.length}` }),
      ...(!range &&
        headers['x-amz-checksum-mode'] === 'ENABLED' && { 'x-amz-checksum-sha256': sumOf(stored) }),
    });
    if (method === 'HEAD') response.end();
    else if (this.fault === 'stalled') response.write(content.subarray(0, -1));
    else if (this.fault === 'truncated') response.write(content.subarray(0, -1), () => response.destroy());
    else response.end(content);
  }

  private remove(key: string, response: ServerResponse): void {
    this.objects.delete(key);
    response.writeHead(204).end();
  }

  private list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const names = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = names.slice(0, Math.min(this.pageSize, Number(query.get('max-keys') ?? 1_000)));
    const isCut = page.length < names.length;
    const entries = page
      .map((key) => `<Contents><Key>${escaped(key)}</Key><Size>1</Size></Contents>`)
      .join('');
    const next = isCut ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    const xml = `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${entries}</ListBucketResult>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
  }

  private takePieces(
    key: string,
    method: string,
    query: URLSearchParams,
    body: Buffer,
    response: ServerResponse,
  ): void {
    const id = query.get('uploadId') ?? `upload-${this.uploads.size}`;
    if (query.has('uploads')) {
      this.uploads.set(id, new Map());
      const xml = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
      response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
    } else if (method === 'PUT') {
      this.uploads.get(id)?.set(Number(query.get('partNumber')), body);
      response.writeHead(200, { etag: '"etag"' }).end();
    } else {
      const pieces = [...(this.uploads.get(id) ?? [])].sort(([one], [other]) => one - other);
      this.objects.set(key, Buffer.concat(pieces.map(([, piece]) => piece)));
      const xml = '<CompleteMultipartUploadResult><ETag>"etag"</ETag></CompleteMultipartUploadResult>';
      response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
    }
  }
}

function refuse(response: ServerResponse, status: number, code: string, isHead = false): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(isHead ? undefined : `<Error><Code>${code}</Code><Message>Refused.</Message></Error>`);
}

function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const { pathname, searchParams } = new URL(url ?? '', 'http://bucket');
  const [, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=reader\/(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const date = String(headers['x-amz-date']);
  const signed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const query = [...searchParams]
    .map((pair) => pair.map((part) => encodeURIComponent(part)).join('='))
    .sort()
    .join('&');
  const request = [method, pathname, query, signed.join(''), names, headers['x-amz-content-sha256']].join(
    '\n',
  );
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(request).digest('hex')].join(
    '\n',
  );
  const parts = [date.slice(0, 8), REGION, 's3', 'aws4_request', text];
  const key = parts.reduce<string | Buffer>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    `AWS4${SECRET}`,
  );
  return names.split(';').includes('host') && (key as Buffer).toString('hex') === signature;
}

const sumOf = (content: Buffer) => createHash('sha256').update(content).digest('base64');

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
