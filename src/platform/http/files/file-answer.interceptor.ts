import { Injectable, StreamableFile, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RangeNotSatisfiable } from '../../errors/request.errors';
import { LeanInterceptor } from '../lean-interceptors';
import {
  parseByteRange,
  type ByteRange,
  cachingHeaders,
  entityTag,
  fileHeaders,
  type FileAnswer,
} from './file-answer';

/**
 * Sends the {@link FileAnswer} that a handler returns: the range that was asked for, nothing if the caller has it
 * already, and no faster than the caller reads it.
 */
@Injectable()
export class FileAnswerInterceptor extends LeanInterceptor {
  async after(file: FileAnswer, context: ExecutionContext): Promise<StreamableFile | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (isKnown(file, request)) {
      reply.code(304).headers(cachingHeaders(file));
      return undefined;
    }
    const range = requestedRange(file, request);
    const content = await file.open(range ?? undefined);
    reply.headers(fileHeaders(file));
    if (range === null) return new StreamableFile(content, { length: file.size });
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
    return new StreamableFile(content, { length: range.end - range.start + 1 });
  }
}

function isKnown(file: FileAnswer, { headers }: FastifyRequest): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(entityTag(file)) || known.includes('*');
}

/** @throws RangeNotSatisfiable */
function requestedRange(file: FileAnswer, { method, headers }: FastifyRequest): ByteRange | null {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== entityTag(file))) return null;
  const range = parseByteRange(headers.range, file.size);
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(file.size);
  return range;
}
