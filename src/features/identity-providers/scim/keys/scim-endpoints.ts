import {
  applyDecorators,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  UseGuards,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForeignRequest } from '../../../../platform/http/body/raw-body';
import { isSafe } from '../../../../platform/http/doors/door';
import { NotRateLimited, OwnSecret } from '../../../../platform/http/decorators';
import { type DirectoryCaller, directoryOf, ScimKeyGuard } from './scim-key.guard';
import { isVersion } from '../protocol/versions';

/** Declares a controller for requests with a directory's key. @param path below `/scim/v2` */
export function ScimController(path = ''): ClassDecorator {
  const guarded = [OwnSecret(), NotRateLimited(), UseGuards(ScimKeyGuard)];
  return applyDecorators(Controller(`scim/v2/${path}`), ...guarded);
}

/** A directory's request, and the means to respond. */
export class ScimRequest extends ForeignRequest {
  private readonly isRead: boolean;

  constructor(
    /** The calling directory. */
    readonly caller: DirectoryCaller,
    request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    super(request);
    this.isRead = isSafe(request);
  }

  /** The version of the resource that the directory expects; null for any. */
  get version(): string | null {
    return this.header('if-match');
  }

  /** The response body; empty, with status 304, if the directory already has this version of the resource. */
  answer(content: object): string {
    const { meta } = content as { readonly meta?: { readonly version?: string } };
    if (meta?.version === undefined) return JSON.stringify(content);
    void this.reply.header('etag', meta.version);
    const known = this.isRead ? this.header('if-none-match') : null;
    if (known === null || !isVersion(meta.version, known)) return JSON.stringify(content);
    void this.reply.code(304);
    return '';
  }
}

/** Injects the directory's request into a handler. */
export const CurrentScimRequest = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  return new ScimRequest(directoryOf(request), request, http.getResponse<FastifyReply>());
});
