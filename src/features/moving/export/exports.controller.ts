import { Controller, Delete, Get, Post, UseInterceptors } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  NeedsRecentSignIn,
  NeedsScope,
  TakesSessions,
} from '../../../platform/http/decorators';
import { type FileAnswer, FileAnswerInterceptor } from '../../../platform/http/files/file-answer.interceptor';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ExportChecksService, ExportsService } from './exports.service';
import {
  EXPORT_FILES,
  type ExportConsentWire,
  ExportDto,
  ExportFileDto,
  type ExportWire,
  RequestExportDto,
} from './exports.api';

/** Archives of the organization, in Zulip's export format. */
@Controller('api/v1/export/realm')
@AdministratorOnly()
@NeedsScope('administer')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly checks: ExportChecksService,
  ) {}

  /** Lists all exports, including deleted and failed ones. */
  @Get()
  async list(): Promise<{ exports: ExportWire[] }> {
    return { exports: await this.exports.list() };
  }

  /** Requests an archive of the organization. An event reports when it is finished. */
  @Post()
  @NeedsRecentSignIn()
  async request(
    @CurrentActor() actor: Actor,
    @Parameters() { export_type: type }: RequestExportDto,
  ): Promise<{ id: number }> {
    return { id: await this.exports.request(actor, type) };
  }

  /** Lists who allows administrators to export private data. */
  @Get('consents')
  consents(): { export_consents: ExportConsentWire[] } {
    return { export_consents: this.checks.consents() };
  }

  /** Deletes the archive of an export. */
  @Delete(':export_id(\\d+)')
  delete(@CurrentActor() actor: Actor, @Parameters() { export_id: id }: ExportDto): Promise<void> {
    return this.exports.delete(actor, id);
  }
}

/** Serves the archives. Their URLs also require an administrator. */
@Controller(EXPORT_FILES)
@UseInterceptors(FileAnswerInterceptor)
@NeedsScope('administer')
export class ExportFilesController {
  constructor(private readonly exports: ExportsService) {}

  /**
   * Serves the archive of an export.
   * @answersAlike 206 the requested part
   * @answers 304 the caller already has it
   * @answers 403 the caller is not an administrator
   * @answers 404 the archive does not exist
   * @answers 416 the archive has no such part
   */
  @Get(':key/:file')
  @AdministratorOnly()
  @TakesSessions()
  serve(@Parameters() { key, file }: ExportFileDto): Promise<FileAnswer> {
    return this.exports.find(key, file);
  }
}
