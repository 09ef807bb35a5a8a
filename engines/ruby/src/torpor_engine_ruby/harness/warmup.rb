# Loads and tries what people use first, so that every context starts with it in its base image.
#
# Only at boot. Leaves no name and no file behind.

module Torpor
  module Warmup
    LIBRARIES = %w[
      English cgi/escape date delegate did_you_mean digest digest/sha2 erb fileutils find forwardable json
      monitor open3 optparse pathname pp psych random/formatter securerandom set shellwords singleton stringio
      strscan tempfile time timeout tmpdir tsort uri weakref yaml
    ].freeze

    def self.run
      LIBRARIES.each { |name| require name }
      $LOAD_PATH << World::FALLBACK_FOLDER
      exercise
      ::GC.start
    end

    # The usual paths once: what is made lazily is made now, before the image is taken.
    def self.exercise
      JSON.parse(JSON.generate({ a: [1, 2.5, nil, "é"] }))
      YAML.load({ "a" => [1] }.to_yaml)
      Time.parse("2024-01-01 00:00").strftime("%F")
      ::Date.new(2024, 1, 1).to_s
      "a,b".split(",").map(&:upcase).join("-").gsub(/a/i) { |m| m.downcase }.encode("UTF-16LE").encode("UTF-8")
      format("%05.2f %s", 1.5, [1, { b: 2 }].inspect)
      SecureRandom.hex
      Integer("x")
    rescue ArgumentError => error
      error.full_message(highlight: false)
    end
  end
end
