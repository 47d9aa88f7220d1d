import { Controller, Delete, Get, Header, Post, StreamableFile, UseInterceptors } from '@nestjs/common';
import { AttachmentsService } from './attachments.service';
import { DownloadService } from './download.service';
import { ThumbnailDownloadService } from './thumbnails.service';
import { UploadService } from './upload.service';
import { AttachmentDto, TemporaryLinkDto, ThumbnailAddressDto, UploadAddressDto } from './uploads.api';
import type { Actor } from '../../platform/actor';
import { Upload, UploadedFile } from '../../platform/http/body/uploaded-file';
import {
  CurrentActor,
  KeepsToChannels,
  NeedsScope,
  NotRateLimited,
  OptionalCredentials,
  Public,
  TakesSessions,
} from '../../platform/http/decorators';
import { AlsoWithout } from '../../platform/http/methods';
import { type FileAnswer, FileAnswerInterceptor } from '../../platform/http/files/file-answer.interceptor';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Uploading files, and creating links to them. */
@Controller('api/v1/user_uploads')
@NeedsScope('read', 'send')
export class UploadsController {
  constructor(
    private readonly uploads: UploadService,
    private readonly downloads: DownloadService,
  ) {}

  /** Uploads the file in the form. */
  @Post()
  @KeepsToChannels()
  async upload(@CurrentActor() actor: Actor, @Upload() file: UploadedFile) {
    const { url, fileName } = await this.uploads.upload(actor, file);
    return { url, uri: url, filename: fileName };
  }

  /**
   * Creates a link to an uploaded file that works for a short time without credentials.
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name')
  @AlsoWithout('folder')
  async temporaryLink(@CurrentActor() actor: Actor, @Parameters() address: UploadAddressDto) {
    return { url: await this.downloads.temporaryUrl(actor, address.path) };
  }
}

/** The files that the caller uploaded. */
@Controller('api/v1/attachments')
@NeedsScope('read', 'send')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  /** Lists the files that the caller uploaded, and the messages that link to them. */
  @Get()
  async list(@CurrentActor() actor: Actor) {
    const { attachments, spaceUsed, ownSpaceUsed } = await this.attachments.list(actor);
    return { attachments, upload_space_used: spaceUsed, user_upload_space_used: ownSpaceUsed };
  }

  /** Deletes a file that the caller uploaded. */
  @Delete(':attachment_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() { attachment_id }: AttachmentDto) {
    return this.attachments.remove(actor, attachment_id);
  }
}

/** The files themselves, under the URLs that messages link to. */
@Controller('user_uploads')
@UseInterceptors(FileAnswerInterceptor)
@NeedsScope('read')
export class UploadedFilesController {
  constructor(private readonly downloads: DownloadService) {}

  /**
   * Serves an uploaded file to users who may read a message that links it.
   * @answersAlike 206 the requested range
   * @answers 304 the caller has it already
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   * @answers 416 the range is not in the file
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name')
  @AlsoWithout('folder')
  @OptionalCredentials()
  @TakesSessions()
  serve(@CurrentActor() reader: Actor | null, @Parameters() address: UploadAddressDto) {
    return this.downloads.find(reader, address.path);
  }

  /**
   * Serves an uploaded file as a download, even if browsers could display it.
   * @answersAlike 206 the requested range
   * @answers 304 the caller has it already
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   * @answers 416 the range is not in the file
   */
  @Get('download/:realm_id(\\d+)/:folder/:key/:name')
  @AlsoWithout('folder')
  @OptionalCredentials()
  @TakesSessions()
  async download(
    @CurrentActor() reader: Actor | null,
    @Parameters() address: UploadAddressDto,
  ): Promise<FileAnswer> {
    return { ...(await this.downloads.find(reader, address.path)), isDownload: true };
  }

  /**
   * Serves an uploaded file to anyone with a temporary link to it. Rate limits count the creation of the link instead,
   * because a media player makes many requests.
   * @answersAlike 206 the requested range
   * @answers 304 the caller has it already
   * @answers 400 the link has expired, or its file name was changed
   * @answers 404 there is no such file
   * @answers 416 the range is not in the file
   */
  @Get('temporary/:token/:name')
  @Public()
  @NotRateLimited()
  serveTemporarily(@Parameters() link: TemporaryLinkDto) {
    return this.downloads.findByToken(link.token, link.name);
  }
}

/** Thumbnails of images, under the URLs that messages contain. */
@Controller('user_uploads/thumbnail')
@UseInterceptors(FileAnswerInterceptor)
@NeedsScope('read')
export class ThumbnailsController {
  constructor(private readonly thumbnails: ThumbnailDownloadService) {}

  /**
   * Serves a thumbnail of an uploaded image to users who may read a message that links it, in this size or the closest
   * one.
   * @answersAlike 206 the requested range
   * @answers 304 the caller has it already
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file, or it has no thumbnail
   * @answers 416 the range is not in the file
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name/:format')
  @AlsoWithout('folder')
  @OptionalCredentials()
  @TakesSessions()
  serve(@CurrentActor() reader: Actor | null, @Parameters() address: ThumbnailAddressDto) {
    return this.thumbnails.find(reader, address.path, address.format);
  }
}

/** Whether thumbnails of an image exist. */
@Controller('api/v1/thumbnail/status')
@NeedsScope('read')
export class ThumbnailStatusController {
  constructor(private readonly thumbnails: ThumbnailDownloadService) {}

  /**
   * Reports whether thumbnails of an uploaded image exist.
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name')
  @AlsoWithout('folder')
  async tell(@CurrentActor() actor: Actor, @Parameters() address: UploadAddressDto) {
    return { has_thumbnail: await this.thumbnails.isMade(actor, address.path) };
  }
}

/** Three dots that darken one after the other. */
const LOADER = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20">${[10, 30, 50]
    .map(
      (x, at) =>
        `<circle cx="${x}" cy="10" r="5" opacity=".2"><animate attributeName="opacity" values=".2;1;.2" dur="1.2s" ` +
        `begin="${at * 0.4}s" repeatCount="indefinite"/></circle>`,
    )
    .join('')}</svg>`,
);

/** The placeholder for images that are not ready. */
@Controller('static/images/loading')
export class LoadingPictureController {
  /** Serves the placeholder for images that are not ready. */
  @Get('loader-black.svg')
  @Public()
  @NotRateLimited()
  @Header('cache-control', 'public, max-age=86400')
  @Header('content-security-policy', "default-src 'none'")
  serve(): StreamableFile {
    return new StreamableFile(LOADER, { type: 'image/svg+xml', length: LOADER.length });
  }
}
