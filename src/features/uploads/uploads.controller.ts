import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Upload } from '../../platform/http/body/upload.decorator';
import { UploadedFile } from '../../platform/http/body/uploaded-file';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { DownloadService } from './download.service';
import { UploadService } from './upload.service';
import { UploadAddressDto } from './uploads.api';

/** Uploading files, and getting links to them. */
@Controller('api/v1/user_uploads')
@NeedsScope('read', 'send')
export class UploadsController {
  constructor(
    private readonly uploads: UploadService,
    private readonly downloads: DownloadService,
  ) {}

  /** Uploads the file of the form. */
  @Post()
  async upload(@CurrentActor() actor: Actor, @Upload() file: UploadedFile) {
    const { url, fileName } = await this.uploads.upload(actor, file);
    return { url, uri: url, filename: fileName };
  }

  /**
   * Makes a link to an uploaded file that works for a short while without credentials.
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name')
  async temporaryLink(@CurrentActor() actor: Actor, @Parameters() address: UploadAddressDto) {
    return { url: await this.downloads.temporaryUrl(actor, address.path) };
  }
}
