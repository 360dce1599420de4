interface Window {
  footfall?: {
    (command: string, ...args: any[]): void;
    q?: [string, ...any[]][];
  };
}

interface Navigator {
  readonly globalPrivacyControl?: boolean;
}
