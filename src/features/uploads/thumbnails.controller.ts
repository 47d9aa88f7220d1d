import { Controller, Get, Header, StreamableFile, UseInterceptors } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import {
  CurrentActor,
  NeedsScope,
  NotRateLimited,
  OptionalCredentials,
  Public,
  TakesSessions,
} from '../../platform/http/decorators';
import { FileAnswerInterceptor } from '../../platform/http/files/file-answer.interceptor';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { ThumbnailDownloadService } from './thumbnail-download.service';
import { ThumbnailAddressDto, UploadAddressDto } from './uploads.api';

/** Smaller versions of pictures, under the addresses that messages show. */
@Controller('user_uploads/thumbnail')
@UseInterceptors(FileAnswerInterceptor)
@NeedsScope('read')
export class ThumbnailsController {
  constructor(private readonly thumbnails: ThumbnailDownloadService) {}

  /**
   * Serves a thumbnail of an uploaded picture to users who may read a message that links it, in this size or the
   * closest one.
   * @answersAlike 206 the part that was asked for
   * @answers 304 the caller has it already
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file, or no smaller version of it
   * @answers 416 the file has no such part
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name/:format')
  @OptionalCredentials()
  @TakesSessions()
  serve(@CurrentActor() reader: Actor | null, @Parameters() address: ThumbnailAddressDto) {
    return this.thumbnails.find(reader, address.path, address.format);
  }
}

/** Whether smaller versions of a picture are there. */
@Controller('api/v1/thumbnail/status')
@NeedsScope('read')
export class ThumbnailStatusController {
  constructor(private readonly thumbnails: ThumbnailDownloadService) {}

  /**
   * Tells whether smaller versions of an uploaded picture are there.
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name')
  async tell(@CurrentActor() actor: Actor, @Parameters() address: UploadAddressDto) {
    return { has_thumbnail: await this.thumbnails.isMade(actor, address.path) };
  }
}

/** Three dots, one of which is dark at a time. */
const LOADER = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20">${[10, 30, 50]
    .map(
      (x, at) =>
        `<circle cx="${x}" cy="10" r="5" opacity=".2"><animate attributeName="opacity" values=".2;1;.2" dur="1.2s" ` +
        `begin="${at * 0.4}s" repeatCount="indefinite"/></circle>`,
    )
    .join('')}</svg>`,
);

/** What messages show in the place of a picture that is not ready. */
@Controller('static/images/loading')
export class LoadingPictureController {
  /** Serves what messages show in the place of a picture that is not ready. */
  @Get('loader-black.svg')
  @Public()
  @NotRateLimited()
  @Header('cache-control', 'public, max-age=86400')
  @Header('content-security-policy', "default-src 'none'")
  serve(): StreamableFile {
    return new StreamableFile(LOADER, { type: 'image/svg+xml', length: LOADER.length });
  }
}
