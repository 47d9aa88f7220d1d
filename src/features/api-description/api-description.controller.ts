import { Controller, Get, Header, Headers, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NotRateLimited, Public, WithoutDatabase } from '../../platform/http/decorators';
import { ApiDescriptionService, type Compressed } from './api-description.service';
import { PAGE_POLICY } from './page';

/** The server's description of its interfaces. It is the same for everybody, and not secret: the source is open. */
@Controller('api')
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class ApiDescriptionController {
  constructor(private readonly description: ApiDescriptionService) {}

  /** Describes both interfaces as an OpenAPI document. */
  @Get('docs-json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async document(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | StreamableFile> {
    return send(await this.description.document(), accepted, reply);
  }

  /** Describes both interfaces as a page for people. */
  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-cache')
  async page(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | StreamableFile> {
    return send(await this.description.page(), accepted, reply);
  }
}

/** Sends a compressed text, still compressed if the client accepts that. */
async function send(
  text: Compressed,
  accepted: string | undefined,
  reply: FastifyReply,
): Promise<string | StreamableFile> {
  reply.header('vary', 'Accept-Encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted ?? '')) return text.unpacked();
  reply.header('content-encoding', 'gzip');
  return new StreamableFile(text.bytes, { length: text.bytes.length });
}
