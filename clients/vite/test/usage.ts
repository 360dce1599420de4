/// <reference path="../client.d.ts" />
import { defineConfig } from 'vite';
import footfall, { type Options } from '@footfall/vite';

const options: Options = { url: 'https://desk.example.com', site: 1, deploy: 'New checkout', strict: true };
export default defineConfig({ plugins: [footfall(options), footfall()] });
export const release: string | undefined = import.meta.env.FOOTFALL_RELEASE;

// @ts-expect-error the key is in the environment alone
footfall({ apiKey: 'ff_...' });
