import { Controller, Delete, Get, Header, HttpCode, Post, Req, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  NeedsScope,
  NotRateLimited,
  Public,
  WithoutDatabase,
} from '../../../platform/http/decorators';
import { Upload, UploadedFile } from '../../../platform/http/body/uploaded-file';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { withQuery } from '../../../platform/http/files/file-answer.interceptor';
import { MAX_BYTES, OrganizationPicturesService } from './organization-pictures.service';
import {
  LogoDto,
  logoKind,
  ONE_ICON,
  ONE_LOGO,
  OrganizationPictureFileDto,
  pictureKindOf,
} from './organization-pictures.api';

/** The icon of the organization. */
@Controller('api/v1/realm/icon')
@NeedsScope('read', 'administer')
export class OrganizationIconController {
  constructor(private readonly pictures: OrganizationPicturesService) {}

  /** Redirects to the icon of the organization, preserving the query string. */
  @Get()
  @HttpCode(302)
  find(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    reply.header('location', withQuery(this.pictures.urlOf('icon'), request.url));
  }

  /** Makes the file in the form the icon of the organization. */
  @Post()
  @AdministratorOnly()
  async upload(
    @CurrentActor() actor: Actor,
    @Upload({ missing: ONE_ICON, several: ONE_ICON }) file: UploadedFile,
  ) {
    await this.pictures.upload(actor, 'icon', file);
    return { icon_url: this.pictures.urlOf('icon') };
  }

  /** Removes the icon of the organization. */
  @Delete()
  @AdministratorOnly()
  async remove(@CurrentActor() actor: Actor) {
    await this.pictures.remove(actor, 'icon');
    return { icon_url: this.pictures.urlOf('icon') };
  }
}

/** The logos of the organization, for light pages and for dark ones. */
@Controller('api/v1/realm/logo')
@NeedsScope('read', 'administer')
export class OrganizationLogoController {
  constructor(private readonly pictures: OrganizationPicturesService) {}

  /** Redirects to a logo of the organization, preserving the query string. */
  @Get()
  @HttpCode(302)
  find(
    @Parameters() dto: LogoDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): void {
    reply.header('location', withQuery(this.pictures.urlOf(logoKind(dto)), request.url));
  }

  /** Makes the file in the form a logo of the organization. */
  @Post()
  @AdministratorOnly()
  upload(
    @CurrentActor() actor: Actor,
    // Browsers send this parameter after the file.
    @Upload({ missing: ONE_LOGO, several: ONE_LOGO, bufferedBytes: MAX_BYTES }) file: UploadedFile,
    @Parameters() dto: LogoDto,
  ): Promise<void> {
    return this.pictures.upload(actor, logoKind(dto), file);
  }

  /** Removes a logo of the organization. */
  @Delete()
  @AdministratorOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: LogoDto): Promise<void> {
    return this.pictures.remove(actor, logoKind(dto));
  }
}

/** The images as browsers load them: public, since the sign-in page shows them. */
@Controller('user_avatars/1/realm')
export class OrganizationPictureFilesController {
  constructor(private readonly pictures: OrganizationPicturesService) {}

  /** Serves the icon or a logo of the organization. */
  @Get(':file')
  @Public()
  @NotRateLimited()
  @WithoutDatabase('if possible')
  @Header('content-security-policy', "default-src 'none'")
  async serve(
    @Parameters() dto: OrganizationPictureFileDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { content, size, version } = await this.pictures.open(pictureKindOf(dto.file));
    const isLasting = dto.version === String(version);
    reply.header('cache-control', isLasting ? 'public, max-age=31536000, immutable' : 'no-cache');
    return new StreamableFile(content, { type: 'image/png', length: size });
  }
}
