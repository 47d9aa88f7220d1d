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

/** Path of these uploads, relative to the site. */
const PLACE = '/api/v1/tus';

/** Uploading files in parts with the tus protocol, version 1.0.0: an interrupted upload can be resumed. */
@Controller('api/v1/tus')
@TakesUploadsOfPages()
@UseFilters(TusErrorFilter)
@NeedsScope('send')
export class ResumableUploadsController {
  constructor(
    private readonly uploads: ResumableUploadsService,
    private readonly config: Config,
  ) {}

  /** Reports in headers which parts of the protocol are supported, and the maximum file size. */
  @Options()
  @HttpCode(204)
  @Public()
  @AlsoWithSlash()
  abilities() {
    return new BareAnswer(204, { ...TUS_ABILITIES, 'tus-max-size': String(this.config.maxUploadBytes) });
  }

  /**
   * Starts an upload, described by the headers `Upload-Length` and `Upload-Metadata` (`filename`, `filetype`). The
   * response header `Location` contains the URL for its parts. An empty file is complete immediately.
   * @answers 201 the upload has started
   * @answers 411 the length is missing
   * @answers 412 the client uses another version of the protocol
   * @answers 413 the file is too large, or there is no room for it
   * @answers 422 a header is malformed
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
   * Reports how much of a file has arrived, also in the headers `Upload-Offset` and `Upload-Length`; `HEAD` returns
   * only these.
   * @answers 404 the upload was completed or canceled, or received no data for a day
   * @answers 412 the client uses another version of the protocol
   * @answers 422 the credentials are malformed
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
   * Receives the next part, which starts at `Upload-Offset`; the response to the last one contains the URL of the file.
   * @answers 204 more parts are expected
   * @answers 404 the upload was completed or canceled, or received no data for a day
   * @answers 409 the part does not start where the last one ended
   * @answers 412 the client uses another version of the protocol
   * @answers 413 the part exceeds the file's length, or there is no more room for the file
   * @answers 415 the body is not a part of a file
   * @answers 422 the offset is malformed
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
   * Cancels an upload before it is complete.
   * @answers 404 the upload was completed or canceled, or received no data for a day
   * @answers 412 the client uses another version of the protocol
   * @answers 422 the credentials are malformed
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

/** The response to the last part: clients use it to link the file. */
function completed({ stored, length }: CompletedUpload, reply: FastifyReply) {
  void reply.headers({ ...TUS_HEADERS, 'upload-offset': String(length) });
  return { url: stored.url, filename: stored.fileName };
}
