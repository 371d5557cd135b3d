// The formula of a release for Homebrew: https://docs.brew.sh/Formula-Cookbook.

/** `sums`: of the archives, by platform. */
export function formula({
  version,
  repository,
  sums,
}: {
  readonly version: string;
  readonly repository: string;
  readonly sums: ReadonlyMap<string, string>;
}): string {
  const archive = (known: string): string =>
    `      url "https://github.com/${repository}/releases/download/v${version}/hostwright_${version}_${known}.tar.gz"
      sha256 "${sums.get(known) ?? ''}"`;
  const on = (system: string, name: string): string => `  on_${system} do
    on_arm do
${archive(`${name}_arm64`)}
    end
    on_intel do
${archive(`${name}_amd64`)}
    end
  end`;
  return `class Hostwright < Formula
  desc "Keeps a hosting account the way its Git repository says it should be"
  homepage "https://github.com/${repository}"
  version "${version}"
  license "Apache-2.0"

${on('macos', 'darwin')}
${on('linux', 'linux')}

  def install
    bin.install "hostwright"
    generate_completions_from_executable(bin/"hostwright", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/hostwright --version").strip
  end
end
`;
}
