import { describeNetwork } from './conformance.ts';
import { useWhatsApp } from './whatsapp-fixture.ts';

describeNetwork('whatsapp', useWhatsApp());
