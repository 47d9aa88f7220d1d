import { Module } from '@nestjs/common';
import { ApiDescriptionController } from './api-description.controller';
import { FrontPageController } from './front-page.controller';
import { ApiDescriptionService } from './api-description.service';

/** The OpenAPI document of both interfaces, and its HTML page. */
@Module({ controllers: [ApiDescriptionController, FrontPageController], providers: [ApiDescriptionService] })
export class ApiDescriptionModule {}
