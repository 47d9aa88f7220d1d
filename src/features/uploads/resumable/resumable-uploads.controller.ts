import type { IncomingHttpHeaders } from 'node:http';
import {
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Options,
  Patch,
  Post,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { SentPiece, type StreamedBody } from '../../../platform/http/body/streamed-body';
import { AlsoWithSlash } from '../../../platform/http/methods';
import { CurrentActor, NeedsScope, Public, TakesUploadsOfPages } from '../../../platform/http/decorators';
import { BareAnswer } from '../../../platform/http/envelope.interceptor';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { TusErrorFilter } from '../../../platform/http/tus/tus-error.filter';
import {
  requireTusVersion,
  TUS_ABILITIES,
  TUS_HEADERS,
  uploadLengthOf,
  uploadMetadataOf,
  uploadOffsetOf,
} from '../../../platform/http/tus/tus-headers';
import { ResumableUploadsService, type CompletedUpload } from './resumable-uploads.service';
import { UnfinishedUploadDto } from '../uploads.api';

/** Where these uploads are, relative to the site. */
const PLACE = '/api/v1/tus';

/** Uploading files piece by piece, by the tus protocol, version 1.0.0: what was interrupted goes on where it was. */
@Controller('api/v1/tus')
@TakesUploadsOfPages()
@UseFilters(TusErrorFilter)
@NeedsScope('send')
export class ResumableUploadsController {
  constructor(
    private readonly uploads: ResumableUploadsService,
    private readonly config: Config,
  ) {}

  /** Tells in headers which parts of the protocol there are, and how large a file may be. */
  @Options()
  @HttpCode(204)
  @Public()
  @AlsoWithSlash()
  abilities() {
    return new BareAnswer(204, { ...TUS_ABILITIES, 'tus-max-size': String(this.config.maxUploadBytes) });
  }

  /**
   * Begins a file, of which the headers `Upload-Length` and `Upload-Metadata` tell (`filename`, `filetype`). The header
   * `Location` of the answer says where its pieces go. An empty file is complete, and answered as such.
   * @answers 201 it has begun
   * @answers 411 the length is missing
   * @answers 412 the client speaks another version of the protocol
   * @answers 413 the file is too large, or there is no room for it
   * @answers 422 a header cannot be read
   */
  @Post()
  @AlsoWithSlash()
  async begin(
    @CurrentActor() actor: Actor,
    @Headers() headers: IncomingHttpHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireTusVersion(headers);
    const length = uploadLengthOf(headers);
    const metadata = uploadMetadataOf(headers);
    const step = await this.uploads.begin(actor, {
      length,
      fileName: metadata.get('filename') ?? metadata.get('name') ?? '',
      contentType: (metadata.get('filetype') ?? metadata.get('type') ?? '').toLowerCase(),
    });
    if (step.upload === null) return completed(step, reply.header('location', step.stored.url));
    return new BareAnswer(201, {
      ...TUS_HEADERS,
      location: `${PLACE}/${step.upload.id}`,
      'upload-offset': '0',
    });
  }

  /**
   * Tells how much of a file is there, in the headers `Upload-Offset` and `Upload-Length`, too, which `HEAD` gives alone.
   * @answers 404 it was finished or given up, or nothing came of it for a day
   * @answers 412 the client speaks another version of the protocol
   * @answers 422 the credentials cannot be read
   */
  @Get(':upload_id')
  async progress(
    @CurrentActor() actor: Actor,
    @Parameters() { upload_id }: UnfinishedUploadDto,
    @Headers() headers: IncomingHttpHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireTusVersion(headers);
    const { received, length } = await this.uploads.progress(actor, upload_id);
    void reply.headers({
      ...TUS_HEADERS,
      'upload-offset': String(received),
      'upload-length': String(length),
      'cache-control': 'no-store',
    });
    return { upload_offset: received, upload_length: length };
  }

  /**
   * Takes the next piece, which begins at `Upload-Offset`; the last one is answered with the address of the file.
   * @answers 204 there is more to come
   * @answers 404 it was finished or given up, or nothing came of it for a day
   * @answers 409 the piece begins elsewhere than where the last one ended
   * @answers 412 the client speaks another version of the protocol
   * @answers 413 the piece goes beyond the end, or there is no room for the file any more
   * @answers 415 it is no piece of a file
   * @answers 422 the offset cannot be read
   */
  @Patch(':upload_id')
  async append(
    @CurrentActor() actor: Actor,
    @Parameters() { upload_id }: UnfinishedUploadDto,
    @Headers() headers: IncomingHttpHeaders,
    @SentPiece() piece: StreamedBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireTusVersion(headers);
    const offset = uploadOffsetOf(headers);
    const step = await this.uploads.append(actor, upload_id, offset, piece);
    if (step.upload === null) return completed(step, reply);
    return new BareAnswer(204, { ...TUS_HEADERS, 'upload-offset': String(step.upload.received) });
  }

  /**
   * Gives a file up before it is complete.
   * @answers 404 it was finished or given up, or nothing came of it for a day
   * @answers 412 the client speaks another version of the protocol
   * @answers 422 the credentials cannot be read
   */
  @Delete(':upload_id')
  @HttpCode(204)
  async abandon(
    @CurrentActor() actor: Actor,
    @Parameters() { upload_id }: UnfinishedUploadDto,
    @Headers() headers: IncomingHttpHeaders,
  ) {
    requireTusVersion(headers);
    await this.uploads.abandon(actor, upload_id);
    return new BareAnswer(204, TUS_HEADERS);
  }
}

/** The answer to the last piece: clients link the file by it. */
function completed({ stored, length }: CompletedUpload, reply: FastifyReply) {
  void reply.headers({ ...TUS_HEADERS, 'upload-offset': String(length) });
  return { url: stored.url, filename: stored.fileName };
}
